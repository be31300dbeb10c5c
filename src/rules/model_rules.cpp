#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/cpu_features.h"
#include "base/format.h"
#include "rules/rules.h"
#include "rules/time_split.h"

namespace myxtts::rules {
namespace {

constexpr double kMuchOverhead = 0.25;      // of the time per step, outside the model
constexpr double kSmallOverhead = 0.10;     // the target for a larger batch
constexpr double kLittleArithmetic = 0.05;  // of the machine's peak
constexpr std::int64_t kMaxGrowth = 8;      // of the batch size, in one suggestion

// Clearly above the threshold of `precision: auto`, which relies on another measurement.
constexpr double kClearGain = 1.3;

bool could_use_bf16(const Record& record) {
  if (record.machine.bf16_works == false) return false;
  if (record.machine.bf16_gain && *record.machine.bf16_gain < kClearGain) return false;
  if (record.settings.device && record.settings.device->starts_with("cuda")) return true;
  return base::has_bf16(record.machine.cpu_features);
}

void find_unused_precision(const Record& record, Findings& findings) {
  if (record.settings.precision != "fp32" || !could_use_bf16(record)) return;
  findings.push_back({.id = "precision_not_used",
                      .severity = Severity::kWarning,
                      .message = "the step computes in fp32 although this machine has instructions "
                                 "for bfloat16, which is usually faster (myxtts diagnose recommend "
                                 "measures it)",
                      .suggestion = "--precision auto"});
}

// Returns the share of the time per step that does not depend on the batch size: the median time
// between steps, and copies. Unknown on a busy machine, where it is mostly waiting for a core.
std::optional<double> overhead_share(const Record& record) {
  if (is_machine_busy(record)) return std::nullopt;
  const std::optional<double> step_s = median_step_s(record.steps);
  const std::optional<double> host_s = median_host_s(record.steps);
  if (!step_s || !host_s) return std::nullopt;
  const TimeSplit split = split_of(record.steps);
  const double copy_s = split.copy_s / static_cast<double>(split.steps);
  const double all_s = *step_s + *host_s + copy_s;
  if (all_s <= 0.0) return std::nullopt;
  return (*host_s + copy_s) / all_s;
}

// Returns the achieved share of the machine's peak arithmetic. Unknown on a busy machine.
std::optional<double> arithmetic_share(const Record& record) {
  if (is_machine_busy(record)) return std::nullopt;
  const Model& model = record.model;
  const std::optional<double> step_s = median_step_s(record.steps);
  if (!model.multiply_adds || !model.machine_multiply_adds_per_s || !step_s) return std::nullopt;
  const double possible = *model.machine_multiply_adds_per_s * *step_s;
  if (possible <= 0.0) return std::nullopt;
  return *model.multiply_adds / possible;
}

void find_small_model(const Record& record, Findings& findings) {
  const std::int64_t batch = record.settings.batch_size.value_or(16);
  const double overhead = overhead_share(record).value_or(0.0);
  const double arithmetic = arithmetic_share(record).value_or(1.0);
  if (overhead >= kMuchOverhead) {
    // x times the batch is x times the arithmetic for the same overhead.
    const double growth =
        overhead / (1.0 - std::min(overhead, 0.99)) * (1.0 - kSmallOverhead) / kSmallOverhead;
    const auto times = std::clamp<std::int64_t>(std::llround(std::ceil(growth)), 2, kMaxGrowth);
    findings.push_back({.id = "model_too_small",
                        .severity = Severity::kWarning,
                        .message = fmt::format("the batch is too small for this model: steps take "
                                               "{}, and {} of the time lies between "
                                               "steps",
                                               base::format_seconds(*median_step_s(record.steps)),
                                               base::format_percent(overhead)),
                        .suggestion = fmt::format("--batch-size {}", times * batch)});
  } else if (arithmetic < kLittleArithmetic) {
    findings.push_back(
        {.id = "model_too_small",
         .severity = Severity::kWarning,
         .message = fmt::format("the batch is too small for this model: a step reaches {} of the "
                                "arithmetic that this machine can do in that time",
                                base::format_percent(arithmetic)),
         .suggestion = fmt::format("--batch-size {}", 2 * batch)});
  }
}

}  // namespace

void model_findings(const Record& record, Findings& findings) {
  find_unused_precision(record, findings);
  find_small_model(record, findings);
}

}  // namespace myxtts::rules
