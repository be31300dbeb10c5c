// Follows the metrics.jsonl of a running training.
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

namespace myxtts::train {

// A training step read from metrics.jsonl (train/metrics_log.h).
struct TailedStep {
  std::int64_t step = 0;
  double loss = 0.0;                                       // NaN if it was not finite
  std::vector<std::pair<std::string, double>> parts = {};  // of the loss, in file order
  double grad_norm = 0.0;
  double lr = 0.0;
  std::int64_t retraces = 0;  // of the run, up to this step
  bool skipped = false;
  rules::Step times = {};  // times, buffer depth, signature, and the retraces of this step
};

struct TailedValidation {
  std::int64_t step = 0;
  double loss = 0.0;
};

// Follows a growing metrics.jsonl; reads it again from the start after it was truncated or
// replaced. Holds a bounded number of steps and reads a bounded number of bytes. An incomplete last
// line is read by a later poll(). Not thread-safe.
class MetricsTail {
 public:
  explicit MetricsTail(std::filesystem::path file,
                       std::size_t max_steps = 4096,
                       std::int64_t max_bytes = std::int64_t{8} << 20);

  // Reads the lines added since the last call. Returns false if the file does not exist.
  bool poll();

  const std::deque<TailedStep>& steps() const { return steps_; }  // the last ones, ascending
  const std::optional<TailedValidation>& validation() const { return validation_; }  // newest
  std::int64_t num_unreadable() const { return num_unreadable_; }                    // lines

 private:
  void start_at(std::int64_t position);
  bool is_continued(std::int64_t size) const;
  void parse_line(std::string_view line);

  const std::filesystem::path path_;
  const std::size_t max_steps_;
  const std::int64_t max_bytes_;
  std::int64_t position_ = 0;    // after the last complete line read
  std::string last_line_;        // with newline; must still be in the file
  bool is_inside_line_ = false;  // the next line is the rest of a longer one
  std::deque<TailedStep> steps_;
  std::optional<TailedValidation> validation_;
  std::int64_t num_unreadable_ = 0;
};

}  // namespace myxtts::train
