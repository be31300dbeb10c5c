#include "train/run_report.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/memory.h"
#include "base/terminal.h"
#include "data/length_filter.h"
#include "rules/limit_line.h"
#include "train/metrics_log.h"
#include "train/progress_line.h"
#include "train/report_interval.h"
#include "train/run_log.h"
#include "train/triggers.h"

namespace myxtts::train {
namespace {

constexpr double kBarIntervalS = 0.1;
constexpr std::size_t kMaxLastSteps = 4096;

double seconds_now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

std::string ids_of(const data::Batch& batch) {
  std::string ids;
  for (const data::MicroBatch& micro_batch : batch.micro_batches)
    ids += fmt::format("{}{}", ids.empty() ? "" : " ", fmt::join(micro_batch.ids, " "));
  return ids;
}

}  // namespace

struct RunReport::Parts {
  Parts(const config::Config& run_config, const std::filesystem::path& folder)
      : config(run_config), run(folder), run_log(folder / "log.txt") {}

  std::filesystem::path metrics_path() const {
    return config.training.metrics_file ? std::filesystem::path(*config.training.metrics_file)
                                        : run / "metrics.jsonl";
  }

  std::filesystem::path events_path() const {
    return config.training.tensorboard_log_dir
               ? std::filesystem::path(*config.training.tensorboard_log_dir)
               : run;
  }

  double audio_seconds(std::int64_t num_frames) const {
    return static_cast<double>(num_frames) * config.model.hop_length / config.model.sample_rate;
  }

  // Older files may have later steps, even if this step is 0: a run may be killed before its first
  // checkpoint. A killed start may already have written events that are triggered again at this
  // step; then TensorBoard drops the whole step, because no event may appear twice.
  void open_logs(const TrainState& state) {
    metrics.emplace(metrics_path(), state.step, state.validated_step, state.evaluated_step);
    const bool repeats = triggers_now(config.training, state).any();
    events = std::make_unique<EventFile>(events_path(), repeats ? state.step : state.step + 1);
  }

  std::optional<double> remaining_s(const TrainState& state) const {
    const config::TrainingConfig& training = config.training;
    if (training.max_minutes && !training.max_steps) {
      return *training.max_minutes * 60.0 - state.trained_s;
    }
    const std::int64_t total = total_steps(state);
    if (total == 0 || times.count() == 0) return std::nullopt;
    const double per_step = (seconds_now() - started) / static_cast<double>(times.count());
    return per_step * static_cast<double>(total - state.step);
  }

  std::int64_t total_steps(const TrainState& state) const {
    if (config.training.max_steps) return *config.training.max_steps;
    return state.schedule_steps;
  }

  double share_done(const TrainState& state) const {
    const config::TrainingConfig& training = config.training;
    const auto total = static_cast<double>(total_steps(state));
    const double share = training.max_minutes && !training.max_steps
                             ? state.trained_s / (*training.max_minutes * 60.0)
                             : (total > 0.0 ? static_cast<double>(state.step) / total : 0.0);
    return std::clamp(share, 0.0, 1.0);
  }

  void remember(const TrainState& state,
                const data::Batch& batch,
                const StepTiming& timing,
                double copy_s) {
    last_steps.push_back({.step_s = timing.step_s,
                          .wait_s = timing.wait_s,
                          .copy_s = copy_s,
                          .host_s = timing.host_s,
                          .buffer_depth = timing.buffer_depth,
                          .epoch = batch.epoch,
                          .signature = data::name_of(batch.micro_batches[0].signature),
                          .retraces = std::max<std::int64_t>(0, state.retraces - retraces)});
    retraces = state.retraces;
    if (last_steps.size() > kMaxLastSteps) last_steps.pop_front();
  }

  // Draws the progress bar below the log, on a terminal only.
  void draw_bar(const TrainState& state) {
    const double now = seconds_now();
    if (!is_terminal || now - drawn_at < kBarIntervalS) return;
    drawn_at = now;
    const double elapsed = now - started;
    base::show_live_line(live_line({.step = state.step,
                                    .total = total_steps(state),
                                    .share = share_done(state),
                                    .loss = last_loss.value_or(0.0),
                                    .elapsed_s = elapsed,
                                    .steps_per_s = static_cast<double>(times.count()) / elapsed,
                                    .eta_s = remaining_s(state)},
                                   base::terminal_width()));
  }

  // Writes the log line of an interval and its TensorBoard scalars.
  void show_interval(const TrainState& state, double grad_norm, double learning_rate) {
    ProgressStats stats = interval.progress();
    stats.step = state.step;
    stats.total = total_steps(state);
    stats.lr = learning_rate;
    stats.eta_s = remaining_s(state);
    run_log.log("{}\n", progress_line(stats));
    for (const auto& scalar : interval.scalars())
      events->scalar(state.step, scalar.first, scalar.second);
    events->scalar(state.step, "train/learning_rate", learning_rate);
    if (std::isfinite(grad_norm)) events->scalar(state.step, "train/grad_norm", grad_norm);
    events->scalar(state.step, "train/retraces", static_cast<double>(state.retraces));
    metrics->flush();
    events->flush();
    interval = {};
  }

  config::Config config;
  std::filesystem::path run;
  RunLog run_log;
  const bool is_terminal = base::stderr_is_terminal();
  double drawn_at = 0.0;
  std::optional<MetricsLog> metrics;
  std::unique_ptr<EventFile> events;
  StepTimes times;
  DepthCounts depths;
  LaneTimes data_lane;
  ReportInterval interval;
  std::deque<rules::Step> last_steps;
  std::int64_t retraces = 0;  // of the run, after the last step
  std::int64_t frames = 0;
  std::optional<double> last_loss;
  std::optional<double> validation_loss;
  double started = seconds_now();
};

RunReport::RunReport(const config::Config& config, const std::filesystem::path& run)
    : parts_(std::make_unique<Parts>(config, run)) {}

RunReport::~RunReport() {
  base::show_live_line("");
}

void RunReport::log(const std::string& text) {
  parts_->run_log.write(text);
}

void RunReport::begin(const TrainState& state) {
  parts_->open_logs(state);
  parts_->started = seconds_now();
  parts_->retraces = state.retraces;
  if (state.step > 0) {
    parts_->run_log.log("[train] resumed at step {} (epoch {}, batch {})\n",
                        state.step,
                        state.position.epoch,
                        state.position.batch);
  } else {
    parts_->run_log.log("[train] starting at step 0\n");
  }
}

void RunReport::step_finished(const TrainState& state,
                              const data::Batch& batch,
                              const step::StepReport& losses,
                              const StepTiming& timing) {
  Parts& parts = *parts_;
  const bool is_skipped = !losses.not_finite.empty();
  const std::string signature = data::name_of(batch.micro_batches[0].signature);
  parts.times.record(timing.step_s, timing.wait_s, losses.copy_s, timing.host_s);
  parts.depths.record(timing.buffer_depth);
  parts.data_lane += timing.data;
  parts.remember(state, batch, timing, losses.copy_s);
  parts.frames += batch.counts.frames;
  parts.interval.add(losses, timing, parts.audio_seconds(batch.counts.frames));
  if (!is_skipped) parts.last_loss = losses.loss;
  parts.metrics->write({.step = state.step,
                        .epoch = batch.epoch,
                        .loss = losses.loss,
                        .parts = losses.parts,
                        .grad_norm = losses.grad_norm,
                        .lr = timing.learning_rate,
                        .step_s = timing.step_s,
                        .copy_s = losses.copy_s,
                        .wait_s = timing.wait_s,
                        .host_s = timing.host_s,
                        .buffer_depth = timing.buffer_depth,
                        .data = timing.data,
                        .signature = signature,
                        .retraces = state.retraces,
                        .skipped = is_skipped});
  if (is_skipped) {
    parts.run_log.log(
        "[train] step {} skipped: the {} is not finite; weights unchanged (utterances "
        "{}); {} skipped so far\n",
        state.step,
        losses.not_finite,
        ids_of(batch),
        state.skipped_steps);
  }
  parts.draw_bar(state);
  if (state.step % parts.config.training.log_step != 0) return;

  parts.show_interval(state, losses.grad_norm, timing.learning_rate);
}

void RunReport::schedule_estimated(const TrainState& state) {
  parts_->run_log.log(
      "[train] schedule: about {} steps, estimated from the first {}; updated during the run\n",
      state.schedule_steps,
      state.step);
}

void RunReport::validation(const TrainState& state,
                           const step::StepReport& losses,
                           const PlateauDecision& decision) {
  Parts& parts = *parts_;
  parts.validation_loss = losses.loss;
  parts.metrics->write_validation(state.step, losses.loss, losses.parts);
  parts.events->scalar(state.step, "validation/total", losses.loss);
  for (const auto& part : losses.parts)
    parts.events->scalar(state.step, "validation/" + part.first, part.second);
  std::string losses_text;
  for (const auto& part : losses.parts)
    losses_text += fmt::format(" {} {:.4f}", part.first, part.second);
  parts.run_log.log("[train] validation at step {}: {:.4f} ({}){}{}{}\n",
                    state.step,
                    losses.loss,
                    losses_text.empty() ? "" : losses_text.substr(1),
                    decision.improved ? ", the best so far" : "",
                    decision.halved ? ", learning rate halved" : "",
                    decision.stop ? ", no progress: stopping" : "");
}

void RunReport::judged(const TrainState& state, std::size_t num_unspoken, double seconds) {
  Parts& parts = *parts_;
  const JudgedStep& judged = *state.judged;
  parts.metrics->write_judgement(judged);
  for (const auto& one : judged.judgement.numbers)
    parts.events->scalar(state.step, "judge/" + one.first, one.second);
  const bool is_best = state.judged_best && state.judged_best->step == state.step;
  parts.run_log.log(
      "[train] judged at step {}: {}{}{} ({:.0f} s)\n",
      state.step,
      format_judgement(judged.judgement),
      is_best ? ", the best so far" : "",
      num_unspoken > 0 ? fmt::format("; {} sentences could not be synthesised", num_unspoken) : "",
      seconds);
  if (!judged.judgement.cost()) {
    parts.run_log.log(
        "[train] no best checkpoint by this judge: it reports neither word_error_rate nor score\n");
  }
}

void RunReport::not_judged(const TrainState& state, const std::string& reason) {
  parts_->run_log.log(
      "[train] not judged at step {}: {}; training continues\n", state.step, reason);
}

void RunReport::show_activity(const std::string& text) {
  if (parts_->is_terminal) base::show_live_line(text);
}

void RunReport::final_validation(const TrainState& state, const step::StepReport& losses) {
  parts_->validation_loss = losses.loss;
  parts_->run_log.log("[train] validation at the end (step {}): {:.4f}\n", state.step, losses.loss);
}

void RunReport::checkpoint_saved(const TrainState& state, double seconds) {
  parts_->run_log.log("[train] checkpoint saved at step {} in {:.2f} s\n", state.step, seconds);
}

void RunReport::skipped_checkpoint(const std::string& folder, const std::string& reason) {
  parts_->run_log.log("[train] warning: skipped damaged checkpoint {}: {}\n", folder, reason);
}

void RunReport::rolled_back(const TrainState& state, std::int64_t from_step) {
  parts_->run_log.log(
      "[train] rolled back from step {} to the checkpoint of step {}; the batches in between are "
      "not used again\n",
      from_step,
      state.step);
  flush();
  parts_->open_logs(state);
}

void RunReport::interrupted(const TrainState& state) {
  base::show_live_line("");
  flush();
  parts_->run_log.log(
      "[train] interrupted; checkpoint saved at step {}; the same command resumes from it\n",
      state.step);
}

void RunReport::finish(const TrainState& state) {
  base::show_live_line("");
  flush();
  parts_->run_log.log(
      "[train] done: {} steps, {} of training\n", state.step, duration_text(state.trained_s));
}

void RunReport::flush() {
  if (parts_->metrics) parts_->metrics->flush();
  if (parts_->events) parts_->events->flush();
}

TrainSummary RunReport::summary(const TrainState& state,
                                const data::ShapePlan& plan,
                                const Corpora& corpora,
                                const data::PrefetchReport& data) const {
  const Parts& parts = *parts_;
  const double stepped = parts.times.total_step_s();
  const double all = stepped + parts.times.total_wait_s();
  TrainSummary summary;
  summary.steps = state.step;
  summary.skipped_steps = state.skipped_steps;
  summary.retraces = state.retraces;
  summary.signatures = std::ssize(plan.known_shapes());
  summary.padding = data::padding_of(plan, corpora.training.lengths());
  summary.step_s = parts.times.stats();
  summary.model_busy = all > 0.0 ? stepped / all : 0.0;
  summary.data_busy = all > 0.0 ? data.busy_s / (all * std::max(1, data.num_workers)) : 0.0;
  summary.wait_share = parts.times.wait_share();
  summary.time_split = parts.times.split();
  summary.data_lane = parts.data_lane;
  summary.model_lane = parts.times.model_lane();
  summary.buffer_depth = parts.depths.stats();
  summary.frames_per_s = stepped > 0.0 ? static_cast<double>(parts.frames) / stepped : 0.0;
  summary.audio_s_per_s = stepped > 0.0 ? parts.audio_seconds(parts.frames) / stepped : 0.0;
  summary.peak_rss_bytes = base::peak_resident_bytes();
  summary.final_loss = parts.last_loss;
  summary.validation_loss = parts.validation_loss ? parts.validation_loss : state.validation_loss;
  summary.judged = state.judged;
  summary.judged_best = state.judged_best;
  summary.skipped_utterances = static_cast<std::int64_t>(corpora.training.skipped.size() +
                                                         corpora.validation.skipped.size());
  for (const data::FeatureSet* set : {&corpora.training, &corpora.validation})
    summary.left_out_utterances +=
        std::ssize(data::filter_by_length(plan.limits, set->lengths()).utterances);
  summary.seconds = seconds_now() - parts.started;
  return summary;
}

const std::deque<rules::Step>& RunReport::last_steps() const {
  return parts_->last_steps;
}

std::string RunReport::limit(const rules::Record& record) {
  std::string line = rules::limit_line(record);
  parts_->run_log.log("[train] {}\n", line);
  return line;
}

EventFile& RunReport::events() {
  return *parts_->events;
}

}  // namespace myxtts::train
