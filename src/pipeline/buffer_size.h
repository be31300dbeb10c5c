// `--buffer-size auto`: how many batches are held ready, to begin with and as the run goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace xtts::pipeline {

// What a buffer may never exceed. Both hold: a batch count for small batches, bytes for large ones.
// One batch is always allowed, or nothing could be trained.
struct BufferBounds {
  std::int64_t least_batches = 4;
  std::int64_t most_batches = 512;
  std::int64_t most_bytes = std::int64_t{4} << 30;
  double share_of_free_memory = 0.25;
};

// What is known when a buffer is sized.
struct BufferNeeds {
  std::int64_t free_bytes = 0;           // base::free_memory_bytes() and what the buffer holds now
  std::int64_t largest_batch_bytes = 0;  // of the plan's largest signature
  // Batches per second that the loader makes when it is not held up, over those that the model
  // takes: the loader is so many times as fast. Absent: not measured yet.
  std::optional<double> load_over_train = {};
};

// Bytes that a buffer may hold on a machine with so much free memory.
std::int64_t buffer_bytes_allowed(std::int64_t free_bytes, const BufferBounds& bounds = {});

// Batches to hold ready: a pause of the loader is ridden out by what is stored, and what it took is
// made up for by the speed the loader has to spare. So a loader many times as fast needs little,
// one that is hardly faster much, and one that is slower all that there may be: it fills while the
// model validates or saves. Not measured: kUnmeasuredBuffer, the size of a run that sets none.
// Within the bounds, whatever the needs say.
inline constexpr std::int64_t kUnmeasuredBuffer = 50;
std::int64_t auto_buffer_size(const BufferNeeds& needs, const BufferBounds& bounds = {});

// What was seen in a stretch of steps since the last observation.
struct BufferObservation {
  double elapsed_s = 0.0;
  double waited_s = 0.0;                       // of the model, for data
  std::int64_t least_depth = 0;                // batches ready, at the worst moment
  std::int64_t most_depth = 0;                 // and at the best
  std::int64_t buffered_bytes = 0;             // that the buffer holds now
  std::int64_t free_bytes = 0;                 // base::free_memory_bytes() now
  std::optional<double> load_over_train = {};  // as in BufferNeeds
};

struct BufferChange {
  std::int64_t from = 0, to = 0;  // batches
  std::string line;               // to be logged, with newline
};

// Adapts the size during a run. It changes no number of the training, only what is held ready.
//
// It grows (twofold) when the model waited although the buffer had been full: the burst was longer
// than the store. A wait that no buffer could have helped, because it never filled, changes
// nothing. It shrinks (to half) after a long calm in which most of it was never touched. It
// shrinks at once when memory gets short. A size that was seen to be too small is not tried
// again, and after memory was short it waits longer each time before it grows, so it does not flap.
// Observations should span some seconds. Not thread-safe.
class BufferSizer {
 public:
  BufferSizer(const BufferNeeds& needs, const BufferBounds& bounds = {});

  std::int64_t size() const { return size_; }

  // The new size, if it should change now.
  std::optional<BufferChange> observe(const BufferObservation& seen);

 private:
  std::int64_t most_that_fit(std::int64_t free_bytes) const;
  BufferChange change_to(std::int64_t size, const std::string& why);

  BufferBounds bounds_;
  std::int64_t batch_bytes_;
  std::int64_t size_;
  std::int64_t too_small_ = 0;  // sizes up to this one made the model wait
  int calm_ = 0;                // observations in a row without need
  int hold_ = 0;                // observations until it may grow again
  int memory_hold_ = 0;         // what hold_ becomes when memory is short; doubles
};

}  // namespace xtts::pipeline
