#include "train/profile_answer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "rules/format.h"
#include "rules/limit_line.h"
#include "rules/record_json.h"
#include "rules/time_split.h"

namespace xtts::train {
namespace {

constexpr std::size_t kMostShown = 12;
constexpr double kSmallestShown = 0.01;  // of the time of all steps

double share_of(const OperatorCost& one, const rules::TimeSplit& split) {
  return split.share_of(one.seconds);
}

std::string operators_text(const std::vector<OperatorCost>& operators,
                           const rules::TimeSplit& split) {
  std::string text;
  double shown = 0.0;
  for (std::size_t i = 0; i < operators.size() && i < kMostShown; ++i) {
    const double share = share_of(operators[i], split);
    if (share < kSmallestShown) break;
    shown += share;
    text += fmt::format("[profile]   {:<36} {:>6}  {} calls\n",
                        operators[i].name,
                        rules::percent(share),
                        operators[i].calls);
  }
  if (operators.empty()) return text;
  return text + fmt::format("[profile]   {:<36} {:>6}\n",
                            "others, and outside of operators",
                            rules::percent(1.0 - shown));
}

}  // namespace

std::string to_text(const ProfiledSteps& profile) {
  const std::vector<rules::Step>& steps = profile.record.steps;
  if (steps.empty()) return "[profile] no step was made after the first: nothing to say\n";
  const rules::TimeSplit split = rules::split_of(steps);
  std::string text =
      fmt::format("[profile] {}, {} each: compute {}, copy {}, wait {}, host {}\n",
                  rules::counted(std::ssize(steps), "step"),
                  rules::seconds_text(split.total_s() / static_cast<double>(split.steps)),
                  rules::percent(split.share_of(split.compute_s)),
                  rules::percent(split.share_of(split.copy_s)),
                  rules::percent(split.share_of(split.wait_s)),
                  rules::percent(split.share_of(split.host_s)));
  text += operators_text(profile.operators, split);
  for (const rules::Finding& finding : profile.findings)
    text += "[profile] " + rules::line_of(finding) + "\n";
  text += "[profile] " + rules::limit_line(profile.record) + "\n";
  if (!profile.trace.empty())
    text += fmt::format("[profile] the trace, for ui.perfetto.dev: {}\n", profile.trace);
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
          {"limit", rules::limit_word(profile.record)},
          {"limited_by", rules::limit_line(profile.record)},
          {"findings", rules::to_json(profile.findings)},
          {"trace", profile.trace},
          {"record", rules::to_json(profile.record)}};
}

}  // namespace xtts::train
