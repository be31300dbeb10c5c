#include "cli/top_view.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "checkpoint/run_lock.h"
#include "cli/shell_command.h"
#include "config/resolve.h"
#include "rules/apply_rules.h"
#include "rules/limit_line.h"
#include "rules/time_split.h"

namespace myxtts::cli {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

constexpr std::size_t kDiagnosedSteps = 200;  // only the last steps show what limits the run now
constexpr std::size_t kMaxSummaryBytes = 1 << 20;

// Returns the run's configuration, or nullopt if it is missing or invalid.
std::optional<config::Config> config_of(const fs::path& run) {
  try {
    return config::read_file(run / "config.yaml").config;
  } catch (const UserError&) {
    return std::nullopt;  // the view only loses the run length
  }
}

fs::path metrics_file_of(const fs::path& run) {
  const std::optional<config::Config> config = config_of(run);
  return config && config->training.metrics_file ? fs::path(*config->training.metrics_file)
                                                 : run / "metrics.jsonl";
}

// summary.json is written at the end of a run. One from before a resume has fewer steps.
bool is_finished(const fs::path& run, std::int64_t last_step) {
  const base::ReadResult read = base::read_regular_file(run / "summary.json", kMaxSummaryBytes);
  const Json summary = Json::parse(read.bytes, nullptr, /*allow_exceptions=*/false);
  return summary.is_object() && summary.value("steps", std::int64_t{-1}) == last_step;
}

std::optional<double> age_of(const fs::path& file) {
  std::error_code error;
  const fs::file_time_type written = fs::last_write_time(file, error);
  if (error) return std::nullopt;
  const std::chrono::duration<double> age = fs::file_time_type::clock::now() - written;
  return std::max(0.0, age.count());
}

Json finite_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json or_null(const auto& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json split_json(const rules::Record& record) {
  const rules::TimeSplit split = rules::split_of(record.steps);
  return {{"compute", split.share_of(split.compute_s)},
          {"wait", split.share_of(split.wait_s)},
          {"copy", split.share_of(split.copy_s)},
          {"host", split.share_of(split.host_s)}};
}

Json step_json(const train::TailedStep& step) {
  Json losses = {{"total", finite_or_null(step.loss)}};
  for (const auto& part : step.parts)
    losses[part.first] = finite_or_null(part.second);
  return {{"step", step.step},
          {"epoch", or_null(step.times.epoch)},
          {"loss", std::move(losses)},
          {"grad_norm", finite_or_null(step.grad_norm)},
          {"lr", finite_or_null(step.lr)},
          {"step_s", step.times.step_s},
          {"buffer_depth", or_null(step.times.buffer_depth)},
          {"signature", step.times.signature},
          {"retraces", step.retraces}};
}

}  // namespace

std::string_view name_of(RunStatus status) {
  switch (status) {
    case RunStatus::kRunning:
      return "running";
    case RunStatus::kFinished:
      return "finished";
    case RunStatus::kStopped:
      return "stopped";
  }
  return "stopped";
}

double TopView::step_interval_s() const {
  const rules::TimeSplit split = rules::split_of(record.steps);
  return split.steps > 0 ? split.total_s() / static_cast<double>(split.steps) : 0.0;
}

RunFollower::RunFollower(fs::path run)
    : run_(std::move(run)), metrics_file_(metrics_file_of(run_)), tail_(metrics_file_) {
  require_usage(fs::is_directory(run_), "{} does not exist; expected a run folder", run_.string());
}

// A run writes config.yaml after reading the corpus, so it may be missing at first.
void RunFollower::read_settings() {
  if (batch_size_) return;
  const std::optional<config::Config> config = config_of(run_);
  if (!config) return;
  batch_size_ = config->data.batch_size;
  grad_accum_ = config->training.gradient_accumulation_steps;
  num_workers_ = config->data.num_workers;
  pad_to_fixed_length_ = config->data.pad_to_fixed_length;
  if (config->training.max_steps) total_steps_ = *config->training.max_steps;
}

TopView RunFollower::snapshot() {
  read_settings();
  TopView view;
  view.run = run_.string();
  view.pid = checkpoint::running_pid(run_);
  const bool has_file = tail_.poll();
  const bool has_steps = !tail_.steps().empty();
  require(has_file || view.pid,
          "{} has no metrics and no running training; start one with: myxtts train "
          "--checkpoint-dir {}",
          run_.string(),
          run_.string());
  require(has_steps || view.pid || tail_.num_unreadable() == 0,
          "{} is damaged: no readable line",
          metrics_file_.string());
  require(
      has_steps || view.pid, "{} has no step, and no training is running", metrics_file_.string());
  view.steps.assign(tail_.steps().begin(), tail_.steps().end());
  view.validation = tail_.validation();
  view.num_unreadable = tail_.num_unreadable();
  view.age_s = age_of(metrics_file_);
  view.total_steps = total_steps_;
  if (view.pid) {
    view.status = RunStatus::kRunning;
  } else if (has_steps && is_finished(run_, view.steps.back().step)) {
    view.status = RunStatus::kFinished;
  }
  const std::size_t num_diagnosed = std::min(kDiagnosedSteps, view.steps.size());
  for (std::size_t i = view.steps.size() - num_diagnosed; i < view.steps.size(); ++i)
    view.record.steps.push_back(view.steps[i].times);
  view.record.settings.num_workers = num_workers_;
  view.record.settings.batch_size = batch_size_;
  view.record.settings.grad_accum = grad_accum_;
  view.record.settings.pad_to_fixed_length = pad_to_fixed_length_;
  return view;
}

rules::Findings findings_of(const TopView& view) {
  rules::Findings findings = rules::apply_rules(view.record);
  rules::complete_suggestions(findings, suggestion_flags_of_run(view.run));
  return findings;
}

Json to_json(const TopView& view) {
  const double step_interval_s = view.step_interval_s();
  Json json = {{"run", view.run},
               {"status", name_of(view.status)},
               {"pid", or_null(view.pid)},
               {"total_steps", or_null(view.total_steps)},
               {"last", view.steps.empty() ? Json(nullptr) : step_json(view.steps.back())},
               {"validation", nullptr},
               {"steps_per_s", step_interval_s > 0.0 ? Json(1.0 / step_interval_s) : Json(nullptr)},
               {"time", split_json(view.record)},
               {"limit", rules::limit_name(view.record)},
               {"limited_by", rules::limit_line(view.record)},
               {"findings", rules::to_json(findings_of(view))},
               {"unreadable_lines", view.num_unreadable}};
  if (view.validation) {
    json["validation"] = {{"step", view.validation->step},
                          {"loss", finite_or_null(view.validation->loss)}};
  }
  return json;
}

}  // namespace myxtts::cli
