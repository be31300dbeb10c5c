// Rules about symptoms, independent of their cause. They come after the rules that name a cause.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "rules/cycle.h"
#include "rules/loading_need.h"
#include "rules/rules.h"

namespace myxtts::rules {
namespace {

constexpr double kHighVariation = 0.30;   // standard deviation / mean
constexpr double kManyOdd = 0.15;         // of the batches; fewer are random outliers
constexpr std::size_t kFewestSteps = 20;  // needed to measure variation
constexpr double kBusyShare = 0.25;       // of the usable cores

void find_variation(const Record& record, Findings& findings) {
  if (record.steps.size() < kFewestSteps) return;
  std::vector<double> times_s;
  for (const Step& step : record.steps)
    times_s.push_back(step.step_s + step.wait_s.value_or(0.0));
  const Variation variation = variation_of(times_s);
  if (variation.relative_std < kHighVariation) return;
  const std::string range =
      fmt::format("a batch takes {} (median), at most {} (std {} of the mean)",
                  base::format_seconds(variation.median_s),
                  base::format_seconds(variation.max_s),
                  base::format_percent(variation.relative_std));
  if (variation.period) {
    findings.push_back(
        {.id = "cyclic_variation",
         .severity = Severity::kWarning,
         .message = fmt::format("HIGH VARIATION DETECTED - cyclic pattern, every {} batches: {}",
                                *variation.period,
                                range),
         .suggestion = "myxtts diagnose bottleneck"});
  } else if (variation.far_share >= kManyOdd) {
    findings.push_back({.id = "high_variation",
                        .severity = Severity::kNote,
                        .message = "HIGH VARIATION DETECTED - no cyclic pattern: " + range,
                        .suggestion = "myxtts diagnose bottleneck"});
  }
}

void find_busy_machine(const Record& record, Findings& findings) {
  if (!is_machine_busy(record)) return;
  findings.push_back(
      {.id = "machine_busy",
       .severity = is_starved_by_others(record) ? Severity::kWarning : Severity::kNote,
       .message = fmt::format("other programs keep {:.1f} of {} cores busy: {}",
                              *record.machine.load_by_others,
                              *record.machine.usable_cores,
                              is_starved_by_others(record)
                                  ? "the model waits for a loader that gets no core"
                                  : "the measurements include their load"),
       .suggestion = "measure again without other programs"});
}

}  // namespace

bool is_machine_busy(const Record& record) {
  const double load = record.machine.load_by_others.value_or(0.0);
  const auto cores = static_cast<double>(record.machine.usable_cores.value_or(0));
  return cores > 0.0 && load >= kBusyShare * cores;
}

void symptom_findings(const Record& record, Findings& findings) {
  find_variation(record, findings);
  find_busy_machine(record, findings);
}

}  // namespace myxtts::rules
