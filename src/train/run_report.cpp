#include "train/run_report.h"

#include <chrono>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/interrupt.h"
#include "train/metrics_log.h"
#include "train/progress_line.h"
#include "train/run_log.h"

namespace xtts::train {
namespace {

double seconds_now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// Sums since the last line of the log.
struct Interval {
  std::int64_t updates = 0;
  double loss = 0.0;
  std::vector<std::pair<std::string, double>> parts;
  double step_s = 0.0;
  double wait_s = 0.0;
  double audio_s = 0.0;

  void add(const step::StepReport& losses, const UpdateTimes& times, double seconds) {
    ++updates;
    step_s += times.step_s;
    wait_s += times.wait_s;
    audio_s += seconds;
    if (!losses.not_finite.empty()) return;
    loss += losses.loss;
    if (parts.empty()) {
      parts = losses.parts;
      return;
    }
    for (std::size_t i = 0; i < parts.size(); ++i)
      parts[i].second += losses.parts[i].second;
  }
};

}  // namespace

struct RunReport::Parts {
  Parts(const config::Config& its_config, const std::filesystem::path& its_run)
      : config(its_config), run(its_run), log(its_run / "log.txt") {}

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

  void open_logs(std::int64_t step) {
    metrics.emplace(metrics_path(), step);
    events = std::make_unique<EventFile>(events_path(), step > 0 ? step + 1 : 0);
  }

  std::optional<double> remaining_s(const TrainState& state) const {
    const config::TrainingConfig& training = config.training;
    if (training.max_minutes && !training.max_steps) {
      return *training.max_minutes * 60.0 - state.trained_s;
    }
    const std::int64_t total = total_steps(state);
    if (total == 0 || times.count() == 0) return std::nullopt;
    const double per_update = (seconds_now() - started) / static_cast<double>(times.count());
    return per_update * static_cast<double>(total - state.step);
  }

  std::int64_t total_steps(const TrainState& state) const {
    if (config.training.max_steps) return *config.training.max_steps;
    return state.schedule_steps;
  }

  config::Config config;
  std::filesystem::path run;
  RunLog log;
  std::optional<MetricsLog> metrics;
  std::unique_ptr<EventFile> events;
  StepTimes times;
  Interval interval;
  std::int64_t frames = 0;
  std::optional<double> last_loss;
  std::optional<double> validation_loss;
  double started = seconds_now();
};

RunReport::RunReport(const config::Config& config, const std::filesystem::path& run)
    : parts_(std::make_unique<Parts>(config, run)) {}

RunReport::~RunReport() = default;

void RunReport::say(const std::string& text) {
  parts_->log.write(text);
}

void RunReport::begin(const TrainState& state) {
  parts_->open_logs(state.step);
  parts_->started = seconds_now();
  if (state.step > 0) {
    parts_->log.say("[train] resumed at step {} (epoch {}, update {})\n",
                    state.step,
                    state.position.epoch,
                    state.position.update);
  } else {
    parts_->log.say("[train] starting at step 0\n");
  }
}

void RunReport::update(const TrainState& state,
                       const pipeline::Update& update,
                       const step::StepReport& losses,
                       const UpdateTimes& times) {
  Parts& parts = *parts_;
  const bool refused = !losses.not_finite.empty();
  const std::string signature = pipeline::name_of(update.micro_batches[0].signature);
  parts.times.record(times.step_s, times.wait_s);
  parts.frames += update.counts.frames;
  parts.interval.add(losses, times, parts.audio_seconds(update.counts.frames));
  if (!refused) parts.last_loss = losses.loss;
  parts.metrics->write({.step = state.step,
                        .epoch = update.epoch,
                        .loss = losses.loss,
                        .parts = losses.parts,
                        .grad_norm = losses.grad_norm,
                        .lr = times.learning_rate,
                        .step_s = times.step_s,
                        .wait_s = times.wait_s,
                        .signature = signature,
                        .retraces = 0,
                        .skipped = refused});
  if (refused) {
    parts.log.say(
        "[train] step {} refused: its {} is not finite; weights unchanged (utterances "
        "{}); {} refused so far\n",
        state.step,
        losses.not_finite,
        fmt::join(update.micro_batches[0].ids, " "),
        state.skipped_steps);
  }
  if (state.step % parts.config.training.log_step != 0) return;

  Interval& interval = parts.interval;
  const auto count = static_cast<double>(interval.updates);
  for (auto& part : interval.parts)
    part.second /= count;
  parts.log.say("{}\n",
                progress_line({.step = state.step,
                               .total = parts.total_steps(state),
                               .loss = interval.loss / count,
                               .parts = interval.parts,
                               .lr = times.learning_rate,
                               .step_s = interval.step_s / count,
                               .audio_s_per_s = interval.audio_s / interval.step_s,
                               .wait_share = interval.wait_s / (interval.wait_s + interval.step_s),
                               .eta_s = parts.remaining_s(state)}));
  parts.events->scalar(state.step, "loss/total", interval.loss / count);
  for (const auto& part : interval.parts)
    parts.events->scalar(state.step, "loss/" + part.first, part.second);
  parts.events->scalar(state.step, "train/learning_rate", times.learning_rate);
  parts.events->scalar(state.step, "train/grad_norm", losses.grad_norm);
  parts.events->scalar(state.step, "speed/step_ms", 1e3 * interval.step_s / count);
  parts.events->scalar(state.step, "speed/audio_s_per_s", interval.audio_s / interval.step_s);
  parts.metrics->flush();
  parts.events->flush();
  interval = {};
}

void RunReport::schedule_fixed(const TrainState& state) {
  parts_->log.say("[train] schedule: {} steps, by the time of the first {}\n",
                  state.schedule_steps,
                  state.step);
}

void RunReport::validation(const TrainState& state,
                           const step::StepReport& losses,
                           const PlateauVerdict& verdict) {
  Parts& parts = *parts_;
  parts.validation_loss = losses.loss;
  parts.metrics->write_validation(state.step, losses.loss, losses.parts);
  parts.events->scalar(state.step, "validation/total", losses.loss);
  for (const auto& part : losses.parts)
    parts.events->scalar(state.step, "validation/" + part.first, part.second);
  std::string words;
  for (const auto& part : losses.parts)
    words += fmt::format(" {} {:.4f}", part.first, part.second);
  parts.log.say("[train] validation at step {}: {:.4f} ({}){}{}{}\n",
                state.step,
                losses.loss,
                words.empty() ? "" : words.substr(1),
                verdict.improved ? ", the best so far" : "",
                verdict.halved ? ", learning rate halved" : "",
                verdict.stop ? ", no progress: stopping" : "");
}

void RunReport::final_validation(const TrainState& state, const step::StepReport& losses) {
  parts_->validation_loss = losses.loss;
  parts_->log.say("[train] validation at the end (step {}): {:.4f}\n", state.step, losses.loss);
}

void RunReport::saved(const TrainState& state, double seconds) {
  parts_->log.say("[train] saved step {} in {:.2f} s\n", state.step, seconds);
}

void RunReport::broken_save(const std::string& folder, const std::string& reason) {
  parts_->log.say("[train] warning: {} is passed over: {}\n", folder, reason);
}

void RunReport::rolled_back(const TrainState& state, std::int64_t from_step) {
  parts_->log.say(
      "[train] back from step {} to the save of step {}; the batches between are not "
      "seen again\n",
      from_step,
      state.step);
  flush();
  parts_->open_logs(state.step);
}

void RunReport::interrupted(const TrainState& state) {
  flush();
  parts_->log.say("[train] interrupted; step {} is saved, the same command goes on from there\n",
                  state.step);
}

void RunReport::finish(const TrainState& state) {
  flush();
  parts_->log.say(
      "[train] done: {} steps, {} of training\n", state.step, duration_text(state.trained_s));
}

void RunReport::flush() {
  if (parts_->metrics) parts_->metrics->flush();
  if (parts_->events) parts_->events->flush();
}

TrainSummary RunReport::summary(const TrainState& state,
                                const pipeline::ShapePlan& plan,
                                const Corpora& corpora) const {
  const Parts& parts = *parts_;
  const double stepped = parts.times.total_step_s();
  const double all = stepped + parts.times.total_wait_s();
  TrainSummary summary;
  summary.steps = state.step;
  summary.skipped_steps = state.skipped_steps;
  summary.signatures = static_cast<std::int64_t>(plan.signatures.size());
  summary.padding = pipeline::padding_of(plan, corpora.training.lengths());
  summary.step_s = parts.times.spread();
  summary.model_busy = all > 0.0 ? stepped / all : 0.0;
  summary.data_busy = all > 0.0 ? parts.times.total_wait_s() / all : 0.0;
  summary.wait_share = parts.times.wait_share();
  summary.frames_per_s = stepped > 0.0 ? static_cast<double>(parts.frames) / stepped : 0.0;
  summary.audio_s_per_s = stepped > 0.0 ? parts.audio_seconds(parts.frames) / stepped : 0.0;
  summary.peak_rss_bytes = peak_rss_bytes();
  summary.final_loss = parts.last_loss;
  summary.validation_loss = parts.validation_loss ? parts.validation_loss : state.validation_loss;
  summary.skipped_utterances = static_cast<std::int64_t>(corpora.training.skipped.size() +
                                                         corpora.validation.skipped.size());
  summary.seconds = seconds_now() - parts.started;
  return summary;
}

EventFile& RunReport::events() {
  return *parts_->events;
}

}  // namespace xtts::train
