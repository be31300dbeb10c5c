#include "train/run_profile_torch.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "rules/apply_rules.h"

namespace myxtts::train {
namespace {

constexpr const char* kTraceName = "profile_trace.json";

}  // namespace

RunProfile::RunProfile(int num_steps,
                       std::filesystem::path run,
                       bool has_own_trace,
                       rules::SuggestionFlags suggestion_flags)
    : num_steps_(num_steps),
      run_(std::move(run)),
      has_own_trace_(has_own_trace),
      suggestion_flags_(std::move(suggestion_flags)) {}

void RunProfile::begin_step() {
  ++num_begun_;
  if (num_begun_ != 2) return;
  if (has_own_trace_) trace_.emplace(run_ / kTraceName);
  operators_.emplace();
}

void RunProfile::stop() {
  if (operators_) {
    for (const step::OperatorTimes::Entry& entry : operators_->entries())
      profile_.operators.push_back({entry.name, entry.seconds, entry.calls});
  }
  operators_.reset();
  if (!trace_) return;
  trace_->finish();
  profile_.trace = (run_ / kTraceName).string();
}

std::string RunProfile::finish(rules::Record record) {
  const std::int64_t num_profiled = std::max<std::int64_t>(0, num_begun_ - 1);
  const std::int64_t others = std::max<std::int64_t>(0, std::ssize(record.steps) - num_profiled);
  record.steps.erase(record.steps.begin(), record.steps.begin() + others);
  profile_.record = std::move(record);
  profile_.findings = rules::apply_rules(profile_.record);
  rules::complete_suggestions(profile_.findings, suggestion_flags_);
  std::string text = to_text(profile_);
  try {
    base::write_file_atomically(run_ / "profile.json", to_json(profile_).dump(1) + "\n");
    text += fmt::format("[profile] written: {}\n", (run_ / "profile.json").string());
  } catch (const UserError& error) {
    text += fmt::format("[profile] {}\n", error.what());
  }
  return text;
}

}  // namespace myxtts::train
