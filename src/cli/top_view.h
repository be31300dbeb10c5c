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

namespace xtts::cli {

enum class RunStatus { kRunning, kFinished, kStopped };

// What `myxtts top` shows of a run at one moment.
struct TopView {
  std::string run;
  RunStatus status = RunStatus::kStopped;
  std::optional<int> pid = {};  // of the process at work
  std::optional<std::int64_t> total_steps = {};
  std::vector<train::TailedUpdate> updates = {};  // the last ones; may be none while it prepares
  std::optional<train::TailedValidation> validation = {};
  std::int64_t num_unreadable = 0;   // lines of metrics.jsonl
  std::optional<double> age_s = {};  // since metrics.jsonl was written last
  rules::Record record = {};         // of the last steps, for the verdict

  double update_s() const;  // mean over the record's steps, with waits and the host; 0: no step
};

// Looks at a run folder again and again. Throws UsageError if there is no such folder, UserError if
// nothing in it can be shown: no metrics and nobody at work, or not one line that can be read.
class RunFollower {
 public:
  explicit RunFollower(std::filesystem::path run);

  TopView look();

 private:
  void learn_settings();

  const std::filesystem::path run_;
  std::filesystem::path metrics_file_;
  std::optional<std::int64_t> total_steps_;
  std::optional<std::int64_t> batch_size_;
  std::optional<std::int64_t> grad_accum_;
  std::optional<std::int64_t> num_workers_;
  std::optional<bool> pad_to_fixed_length_;
  train::MetricsTail tail_;
};

// What the rules find in it, with remedies that run as they stand.
rules::Findings findings_of(const TopView& view);

// One object for machines.
nlohmann::ordered_json to_json(const TopView& view);

std::string_view name_of(RunStatus status);  // "running", "finished", "stopped"

}  // namespace xtts::cli
