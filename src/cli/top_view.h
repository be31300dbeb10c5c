// Reads the state of a training run for `myxtts top`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "rules/finding.h"
#include "rules/record.h"
#include "train/metrics_tail.h"

namespace myxtts::cli {

enum class RunStatus { kRunning, kFinished, kStopped };

// The state of a run at one moment.
struct TopView {
  std::string run;
  RunStatus status = RunStatus::kStopped;
  std::optional<int> pid = {};  // of the training process
  std::optional<std::int64_t> total_steps = {};
  std::vector<train::TailedStep> steps = {};  // the last ones; empty before the first step
  std::optional<train::TailedValidation> validation = {};
  std::int64_t num_unreadable = 0;   // lines of metrics.jsonl
  std::optional<double> age_s = {};  // since the last write of metrics.jsonl
  rules::Record record = {};         // of the last steps, for the rules

  // Returns the mean wall time per step of the record, with waits and host time; 0 without steps.
  double step_interval_s() const;
};

// Follows a run folder. The constructor throws UsageError if the folder does not exist. snapshot()
// throws UserError if there are no metrics and no running training, or no readable line.
class RunFollower {
 public:
  explicit RunFollower(std::filesystem::path run);

  TopView snapshot();

 private:
  void read_settings();

  const std::filesystem::path run_;
  std::filesystem::path metrics_file_;
  std::optional<std::int64_t> total_steps_;
  std::optional<std::int64_t> batch_size_;
  std::optional<std::int64_t> grad_accum_;
  std::optional<std::int64_t> num_workers_;
  std::optional<bool> pad_to_fixed_length_;
  train::MetricsTail tail_;
};

// Applies the rules. Suggestions are complete commands.
rules::Findings findings_of(const TopView& view);

// Returns the view as one JSON object.
nlohmann::ordered_json to_json(const TopView& view);

// Returns "running", "finished" or "stopped".
std::string_view name_of(RunStatus status);

}  // namespace myxtts::cli
