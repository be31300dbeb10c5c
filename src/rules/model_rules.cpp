#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/cpu_features.h"
#include "rules/format.h"
#include "rules/rules.h"
#include "rules/time_split.h"

namespace xtts::rules {
namespace {

constexpr double kMuchOverhead = 0.25;      // of an update, in which the model does not compute
constexpr double kSmallOverhead = 0.10;     // what a larger batch should bring it to
constexpr double kLittleArithmetic = 0.05;  // of what the machine can do
constexpr std::int64_t kMostGrowth = 8;     // of the batch, in one advice

// Clearly more than what makes precision auto take it: that was another measurement.
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

// What an update costs whatever its size: the usual time between steps, and the copies. Beside busy
// programs that is mostly waiting for a core.
std::optional<double> overhead_share(const Record& record) {
  if (is_machine_busy(record)) return std::nullopt;
  const std::optional<double> step_s = usual_step_s(record.steps);
  const std::optional<double> host_s = usual_host_s(record.steps);
  if (!step_s || !host_s) return std::nullopt;
  const TimeSplit split = split_of(record.steps);
  const double copy_s = split.copy_s / static_cast<double>(split.steps);
  const double all_s = *step_s + *host_s + copy_s;
  if (all_s <= 0.0) return std::nullopt;
  return (*host_s + copy_s) / all_s;
}

// Beside busy programs a step takes longer for the same arithmetic.
std::optional<double> arithmetic_share(const Record& record) {
  if (is_machine_busy(record)) return std::nullopt;
  const Model& model = record.model;
  const std::optional<double> step_s = usual_step_s(record.steps);
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
    const auto times = std::clamp<std::int64_t>(std::llround(std::ceil(growth)), 2, kMostGrowth);
    findings.push_back({.id = "model_too_small",
                        .severity = Severity::kWarning,
                        .message = fmt::format(
                            "the model is too small for its batch: between steps of {} lies {} of "
                            "the time",
                            seconds_text(*usual_step_s(record.steps)),
                            percent(overhead)),
                        .suggestion = fmt::format("--batch-size {}", times * batch)});
  } else if (arithmetic < kLittleArithmetic) {
    findings.push_back(
        {.id = "model_too_small",
         .severity = Severity::kWarning,
         .message = fmt::format("the model is too small for its batch: a step does {} of the "
                                "arithmetic that this machine can do in its time",
                                percent(arithmetic)),
         .suggestion = fmt::format("--batch-size {}", 2 * batch)});
  }
}

}  // namespace

void model_findings(const Record& record, Findings& findings) {
  find_unused_precision(record, findings);
  find_small_model(record, findings);
}

}  // namespace xtts::rules
