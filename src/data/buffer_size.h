// Sizes the prefetch buffer for `--buffer-size auto`, initially and during the run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace myxtts::data {

// Limits of the buffer: a batch count and bytes. One batch is always allowed.
struct BufferBounds {
  std::int64_t min_batches = 4;
  std::int64_t max_batches = 512;
  std::int64_t max_bytes = std::int64_t{4} << 30;
  double share_of_free_memory = 0.25;
};

// Inputs of the buffer size.
struct BufferNeeds {
  std::int64_t free_bytes = 0;  // base::free_memory_bytes() plus the buffer's current bytes
  std::int64_t largest_batch_bytes = 0;  // of the plan's largest signature
  // Batches per second of an unblocked loader over those of the model. Absent: not measured yet.
  std::optional<double> load_over_train = {};
};

// Returns the bytes that a buffer may hold with this much free memory.
std::int64_t buffer_bytes_allowed(std::int64_t free_bytes, const BufferBounds& bounds = {});

// Returns the buffer size in batches. The buffer bridges a pause of the loader, which refills it
// with its spare speed. So a much faster loader needs a small buffer, a barely faster one a large
// buffer, and a slower one the maximum, which fills while the model validates or writes
// checkpoints. Without a measurement the size is kUnmeasuredBuffer, the default of a run. Always
// within the bounds.
inline constexpr std::int64_t kUnmeasuredBuffer = 50;
std::int64_t auto_buffer_size(const BufferNeeds& needs, const BufferBounds& bounds = {});

// Measurements of the steps since the last observation.
struct BufferObservation {
  double elapsed_s = 0.0;
  double waited_s = 0.0;                       // by the model, for data
  std::int64_t min_depth = 0;                  // fewest ready batches
  std::int64_t max_depth = 0;                  // most ready batches
  std::int64_t buffered_bytes = 0;             // held by the buffer now
  std::int64_t free_bytes = 0;                 // base::free_memory_bytes() now
  std::optional<double> load_over_train = {};  // as in BufferNeeds
};

struct BufferChange {
  std::int64_t from = 0, to = 0;  // batches
  std::string line;               // log line, with newline
};

// Adapts the buffer size during a run. The size never changes training results.
//
// The size doubles when the model waited although the buffer had been full: the pause was longer
// than the buffer. A wait with a buffer that never filled changes nothing. The size halves after a
// long time in which more than half was never used, and shrinks at once when memory gets short. A
// size that was too small is not tried again, and after each memory shortage the sizer waits longer
// before it grows, so that the size does not oscillate. Observations should span some seconds. Not
// thread-safe.
class BufferSizer {
 public:
  BufferSizer(const BufferNeeds& needs, const BufferBounds& bounds = {});

  std::int64_t size() const { return size_; }

  // Returns the change if the size changes now.
  std::optional<BufferChange> observe(const BufferObservation& seen);

 private:
  std::int64_t max_that_fit(std::int64_t free_bytes) const;
  BufferChange change_to(std::int64_t size, const std::string& why);

  BufferBounds bounds_;
  std::int64_t batch_bytes_;
  std::int64_t size_;
  std::int64_t too_small_ = 0;  // sizes up to this one made the model wait
  int calm_ = 0;                // observations in a row without need
  int hold_ = 0;                // observations until it may grow again
  int memory_hold_ = 0;         // value of hold_ after a memory shortage; doubles
};

}  // namespace myxtts::data
