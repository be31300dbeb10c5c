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
#include "cli/shell_words.h"
#include "config/resolve.h"
#include "rules/apply_rules.h"
#include "rules/limit_line.h"
#include "rules/time_split.h"

namespace xtts::cli {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

constexpr std::size_t kJudgedSteps = 200;  // the last ones: what limits it now
constexpr std::size_t kMaxSummaryBytes = 1 << 20;

// The run's own configuration; nothing where it is not there yet or cannot be read.
std::optional<config::Config> config_of(const fs::path& run) {
  try {
    return config::read_file(run / "config.yaml").config;
  } catch (const UserError&) {
    return std::nullopt;  // it tells only how long the run will be
  }
}

fs::path metrics_file_of(const fs::path& run) {
  const std::optional<config::Config> config = config_of(run);
  return config && config->training.metrics_file ? fs::path(*config->training.metrics_file)
                                                 : run / "metrics.jsonl";
}

// summary.json is written at the end of a run; one of an earlier end has fewer steps.
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

Json update_json(const train::TailedUpdate& update) {
  Json losses = {{"total", finite_or_null(update.loss)}};
  for (const auto& part : update.parts)
    losses[part.first] = finite_or_null(part.second);
  return {{"step", update.step},
          {"epoch", or_null(update.times.epoch)},
          {"loss", std::move(losses)},
          {"grad_norm", finite_or_null(update.grad_norm)},
          {"lr", finite_or_null(update.lr)},
          {"step_s", update.times.step_s},
          {"buffer_depth", or_null(update.times.buffer_depth)},
          {"signature", update.times.signature},
          {"retraces", update.retraces}};
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

double TopView::update_s() const {
  const rules::TimeSplit split = rules::split_of(record.steps);
  return split.steps > 0 ? split.total_s() / static_cast<double>(split.steps) : 0.0;
}

RunFollower::RunFollower(fs::path run)
    : run_(std::move(run)), metrics_file_(metrics_file_of(run_)), tail_(metrics_file_) {
  require_usage(
      fs::is_directory(run_), "{} is not a run folder: there is no such folder", run_.string());
}

// A run writes its configuration after it has read its corpus.
void RunFollower::learn_settings() {
  if (batch_size_) return;
  const std::optional<config::Config> config = config_of(run_);
  if (!config) return;
  batch_size_ = config->data.batch_size;
  grad_accum_ = config->training.gradient_accumulation_steps;
  num_workers_ = config->data.num_workers;
  pad_to_fixed_length_ = config->data.pad_to_fixed_length;
  if (config->training.max_steps) total_steps_ = *config->training.max_steps;
}

TopView RunFollower::look() {
  learn_settings();
  TopView view;
  view.run = run_.string();
  view.pid = checkpoint::pid_at_work(run_);
  const bool has_file = tail_.poll();
  const bool has_updates = !tail_.updates().empty();
  require(has_file || view.pid,
          "{} has no metrics yet and no training is at work in it; start one with: myxtts train "
          "--checkpoint-dir {}",
          run_.string(),
          run_.string());
  require(has_updates || view.pid || tail_.num_unreadable() == 0,
          "{} is damaged: it has no line that can be read",
          metrics_file_.string());
  require(has_updates || view.pid,
          "{} has no step in it, and no training is at work",
          metrics_file_.string());
  view.updates.assign(tail_.updates().begin(), tail_.updates().end());
  view.validation = tail_.validation();
  view.num_unreadable = tail_.num_unreadable();
  view.age_s = age_of(metrics_file_);
  view.total_steps = total_steps_;
  if (view.pid) {
    view.status = RunStatus::kRunning;
  } else if (has_updates && is_finished(run_, view.updates.back().step)) {
    view.status = RunStatus::kFinished;
  }
  const std::size_t judged = std::min(kJudgedSteps, view.updates.size());
  for (std::size_t i = view.updates.size() - judged; i < view.updates.size(); ++i)
    view.record.steps.push_back(view.updates[i].times);
  view.record.settings.num_workers = num_workers_;
  view.record.settings.batch_size = batch_size_;
  view.record.settings.grad_accum = grad_accum_;
  view.record.settings.pad_to_fixed_length = pad_to_fixed_length_;
  return view;
}

rules::Findings findings_of(const TopView& view) {
  rules::Findings findings = rules::judge(view.record);
  rules::complete_suggestions(findings, suggestion_flags_of_run(view.run));
  return findings;
}

Json to_json(const TopView& view) {
  const double update_s = view.update_s();
  Json json = {{"run", view.run},
               {"status", name_of(view.status)},
               {"pid", or_null(view.pid)},
               {"total_steps", or_null(view.total_steps)},
               {"last", view.updates.empty() ? Json(nullptr) : update_json(view.updates.back())},
               {"validation", nullptr},
               {"steps_per_s", update_s > 0.0 ? Json(1.0 / update_s) : Json(nullptr)},
               {"time", split_json(view.record)},
               {"limit", rules::limit_word(view.record)},
               {"limited_by", rules::limit_line(view.record)},
               {"findings", rules::to_json(findings_of(view))},
               {"unreadable_lines", view.num_unreadable}};
  if (view.validation) {
    json["validation"] = {{"step", view.validation->step},
                          {"loss", finite_or_null(view.validation->loss)}};
  }
  return json;
}

}  // namespace xtts::cli
