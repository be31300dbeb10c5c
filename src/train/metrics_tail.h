#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/record.h"

namespace xtts::train {

// An update as metrics.jsonl tells it (train/metrics_log.h).
struct TailedUpdate {
  std::int64_t step = 0;
  double loss = 0.0;                                       // not a number where it was not finite
  std::vector<std::pair<std::string, double>> parts = {};  // of the loss, in the file's order
  double grad_norm = 0.0;
  double lr = 0.0;
  std::int64_t retraces = 0;  // of the run, up to this update
  bool skipped = false;
  rules::Step times = {};  // its times, depth, signature, and the retraces of this update
};

struct TailedValidation {
  std::int64_t step = 0;
  double loss = 0.0;
};

// The end of a metrics.jsonl that a run is writing: read as it grows, read anew when it was cut
// back or replaced. Holds a bounded number of updates and reads a bounded number of bytes. A line
// that is not whole yet is left for later. Not thread-safe.
class MetricsTail {
 public:
  explicit MetricsTail(std::filesystem::path file,
                       std::size_t most_updates = 4096,
                       std::int64_t most_bytes = std::int64_t{8} << 20);

  // Reads what has been added. False if there is no such file.
  bool poll();

  const std::deque<TailedUpdate>& updates() const { return updates_; }  // the last ones, ascending
  const std::optional<TailedValidation>& validation() const { return validation_; }  // the last one
  std::int64_t num_unreadable() const { return num_unreadable_; }                    // lines

 private:
  void start_at(std::int64_t position);
  bool is_continued(std::int64_t size) const;
  void take(std::string_view line);

  const std::filesystem::path path_;
  const std::size_t most_updates_;
  const std::int64_t most_bytes_;
  std::int64_t position_ = 0;      // behind the last whole line that was read
  std::string last_line_;          // with its newline; it must still be there
  bool is_inside_a_line_ = false;  // the first line that comes is the rest of one
  std::deque<TailedUpdate> updates_;
  std::optional<TailedValidation> validation_;
  std::int64_t num_unreadable_ = 0;
};

}  // namespace xtts::train
