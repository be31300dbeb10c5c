#include "train/profile_result.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/format.h"
#include "rules/limit_line.h"
#include "rules/record_json.h"
#include "rules/time_split.h"

namespace myxtts::train {
namespace {

constexpr std::size_t kMaxShown = 12;
constexpr double kMinShownShare = 0.01;  // of the time of all steps

double share_of(const OperatorCost& one, const rules::TimeSplit& split) {
  return split.share_of(one.seconds);
}

std::string format_operators(const std::vector<OperatorCost>& operators,
                             const rules::TimeSplit& split) {
  std::string text;
  double shown = 0.0;
  for (std::size_t i = 0; i < operators.size() && i < kMaxShown; ++i) {
    const double share = share_of(operators[i], split);
    if (share < kMinShownShare) break;
    shown += share;
    text += fmt::format("[profile]   {:<36} {:>6}  {} calls\n",
                        operators[i].name,
                        base::format_percent(share),
                        operators[i].calls);
  }
  if (operators.empty()) return text;
  return text + fmt::format("[profile]   {:<36} {:>6}\n",
                            "other, and outside of operators",
                            base::format_percent(1.0 - shown));
}

}  // namespace

std::string to_text(const ProfiledSteps& profile) {
  const std::vector<rules::Step>& steps = profile.record.steps;
  if (steps.empty()) return "[profile] no step was profiled: the run ended after its first step\n";
  const rules::TimeSplit split = rules::split_of(steps);
  std::string text =
      fmt::format("[profile] {}, {} each: compute {}, copy {}, wait {}, host {}\n",
                  base::format_count(std::ssize(steps), "step"),
                  base::format_seconds(split.total_s() / static_cast<double>(split.steps)),
                  base::format_percent(split.share_of(split.compute_s)),
                  base::format_percent(split.share_of(split.copy_s)),
                  base::format_percent(split.share_of(split.wait_s)),
                  base::format_percent(split.share_of(split.host_s)));
  text += format_operators(profile.operators, split);
  for (const rules::Finding& finding : profile.findings)
    text += "[profile] " + rules::format_finding(finding) + "\n";
  text += "[profile] " + rules::limit_line(profile.record) + "\n";
  if (!profile.trace.empty())
    text += fmt::format("[profile] trace for ui.perfetto.dev: {}\n", profile.trace);
  return text;
}

nlohmann::ordered_json to_json(const ProfiledSteps& profile) {
  const rules::TimeSplit split = rules::split_of(profile.record.steps);
  nlohmann::ordered_json operators = nlohmann::ordered_json::array();
  for (const OperatorCost& one : profile.operators) {
    operators.push_back({{"name", one.name},
                         {"seconds", one.seconds},
                         {"calls", one.calls},
                         {"share", share_of(one, split)}});
  }
  return {{"steps", split.steps},
          {"step_s", split.steps > 0 ? split.total_s() / static_cast<double>(split.steps) : 0.0},
          {"time_split",
           {{"compute", split.share_of(split.compute_s)},
            {"copy", split.share_of(split.copy_s)},
            {"wait", split.share_of(split.wait_s)},
            {"host", split.share_of(split.host_s)}}},
          {"operators", std::move(operators)},
          {"limit", rules::limit_name(profile.record)},
          {"limited_by", rules::limit_line(profile.record)},
          {"findings", rules::to_json(profile.findings)},
          {"trace", profile.trace},
          {"record", rules::to_json(profile.record)}};
}

}  // namespace myxtts::train
