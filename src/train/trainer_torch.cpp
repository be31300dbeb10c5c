// Note [Training loop]: the trainer defines the order of events. step/ defines the arithmetic,
// RunParts what a checkpoint stores, RunReport what is logged.
//
//   resume from the newest checkpoint, or start at step 0
//   until the schedule ends or a signal arrives:
//     run the triggered hooks: validation, samples, evaluation, checkpoint
//     take the next batch and run one step
//   write the last checkpoint, evaluate, write the summary
#include "train/trainer_torch.h"

#include <chrono>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <optional>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "audio/mel_spec.h"
#include "base/core_load.h"
#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/terminal.h"
#include "base/trace.h"
#include "checkpoint/run_lock.h"
#include "config/write_yaml.h"
#include "data/lane_messages.h"
#include "text/front_end.h"
#include "train/checkpoint_manager_torch.h"
#include "train/corpora.h"
#include "train/data_loader.h"
#include "train/gta_mels_torch.h"
#include "train/lanes_speed_torch.h"
#include "train/matmul_speed_torch.h"
#include "train/memory_need_torch.h"
#include "train/model_lane_torch.h"
#include "train/run_diagnosis_torch.h"
#include "train/run_evaluation_torch.h"
#include "train/run_folder.h"
#include "train/run_lanes_torch.h"
#include "train/run_parts_torch.h"
#include "train/run_preview_torch.h"
#include "train/run_report.h"
#include "train/run_report_page.h"
#include "train/run_schedule.h"
#include "train/run_step_torch.h"
#include "train/speaker_clips_torch.h"
#include "train/triggers.h"
#include "train/watchdog.h"

namespace myxtts::train {
namespace {

double seconds_now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// A step that has run and whose losses have not arrived yet.
struct PendingStep {
  std::unique_ptr<data::Batch> batch;
  TrainState state;  // after the step
  StepTiming timing;
};

std::unique_ptr<step::GraphDevice> graph_device_of(const TrainRequest& request,
                                                   const torch::Device& device) {
  if (request.task == Task::kVocoder) return nullptr;
  if (request.open_graph_device) return request.open_graph_device();
  return device.is_cuda() ? step::open_graph_device(device.index()) : nullptr;
}

RunWatchdog::Limits watchdog_limits(const config::TrainingConfig& training) {
  const std::chrono::duration<double> hung(60.0 * training.hang_minutes);
  return {.hung = std::chrono::duration_cast<RunWatchdog::Clock::duration>(hung)};
}

// Ends the process without unwinding, because the model thread hangs. Checkpoints are written
// atomically, so none is left incomplete.
[[noreturn]] void end_process(RunReport& report, const std::string& reason) {
  report.log("myxtts: " + reason + "\n");
  std::_Exit(1);
}

class Trainer {
 public:
  Trainer(const TrainRequest& request, const RunLanes& lanes, const std::filesystem::path& run);

  TrainSummary run();

 private:
  void start();
  void train_step();
  void finish_step(const step::LateReport& late);
  void drain();
  void run_hooks();
  void evaluate();
  bool is_best_step() const;
  void roll_back();
  void update_schedule();
  bool is_finished() const { return schedule_.is_finished(state_); }
  void stop_if_interrupted();
  void end_profile();
  std::string log_bottleneck();

  const config::Config config_;
  const data::LanePlan lanes_;  // devices, cores and threads of loader and model
  const std::filesystem::path run_;
  const audio::MelSpec mel_spec_;
  text::FrontEnd front_end_;
  const std::function<void(const StepProgress&)> on_step_;
  const std::function<bool()> should_stop_;
  const bool is_trial_;  // a short run that is only measured: no evaluation, no final checkpoint
  Corpora corpora_;
  const data::LoaderSettings loading_;
  const data::ShapePlan plan_;
  DataLoader data_;
  const RunSchedule schedule_;
  RunParts parts_;
  TrainState& state_ = parts_.state;
  RunStep step_;
  std::deque<PendingStep> pending_;
  RunMetadata metadata_;
  RunReport report_;
  RunWatchdog watchdog_;
  CheckpointManager checkpoints_;
  RunEvaluation evaluation_;
  double last_end_ = 0.0;  // end of the last step; the time until the next one is host time
  ModelLane lane_;
  MemoryNeed memory_;
  RunDiagnosis diagnosis_;
};

Trainer::Trainer(const TrainRequest& request,
                 const RunLanes& lanes,
                 const std::filesystem::path& run)
    : config_(with_model_device(request.resolved.config, lanes.plan)),
      lanes_(lanes.plan),
      run_(run),
      mel_spec_(audio::mel_spec_of(config_)),
      front_end_(text::text_settings_of(config_)),
      on_step_(request.on_step),
      should_stop_(request.should_stop),
      is_trial_(request.is_trial),
      corpora_(with_gta_mels(load_corpora(config_,
                                          config::num_workers_of(config_.data),
                                          lanes.mels,
                                          request.max_utterances,
                                          request.task),
                             config_)),
      loading_(loader_settings_for(config_, request.task)),
      plan_(plan_of(config_, corpora_)),
      data_(lanes_, corpora_.training, plan_, loading_),
      schedule_(config_.training, data_.steps_per_epoch()),
      parts_(config_, static_cast<std::int64_t>(front_end_.symbols().size()), request.task),
      step_(parts_,
            config_.training,
            plan_,
            batch_properties_of(config_, loading_),
            graph_device_of(request, parts_.device),
            lanes_.model.cores,
            lanes_.staged_batches * config_.training.gradient_accumulation_steps),
      metadata_{.task = request.task,
                .config_yaml = config::write_yaml(request.resolved),
                .mel_spec = mel_spec_,
                .symbols = front_end_.symbols().to_text(),
                .precision = config_.training.precision,
                .threads = at::get_num_threads()},
      report_(config_, run),
      watchdog_(
          watchdog_limits(config_.training),
          [this](const std::string& line) { report_.log(line); },
          [this](const std::string& reason) { end_process(report_, reason); }),
      checkpoints_(
          run,
          config_,
          metadata_,
          corpora_.training,
          parts_.voice
              ? read_speaker_clips(corpora_.training, loading_.reference_frames, data_.unreadable())
              : std::vector<torch::Tensor>(),
          parts_,
          report_,
          watchdog_),
      evaluation_({.config = config_,
                   .run = run_,
                   .mel_spec = mel_spec_,
                   .corpora = corpora_,
                   .plan = plan_,
                   .loading = loading_,
                   .step = step_.train_step(),
                   .front_end = front_end_,
                   .parts = parts_,
                   .report = report_,
                   .watchdog = watchdog_,
                   .speaker_clips = checkpoints_.speaker_clips()}),
      lane_({.lanes = lanes_,
             .data = data_,
             .step = step_,
             .checkpoints = checkpoints_,
             .watchdog = watchdog_,
             .before_step = request.before_step}),
      diagnosis_({.config = config_,
                  .run = run_,
                  .lanes = lanes_,
                  .plan = plan_,
                  .corpora = corpora_,
                  .memory = memory_,
                  .data = data_,
                  .parts = parts_,
                  .report = report_},
                 request) {
  if (is_trial_) data_.start_empty();  // a full buffer would hide slow workers in a short run
  at::Generator generator = at::globalContext().defaultGenerator(parts_.device);
  generator.set_current_seed(static_cast<std::uint64_t>(config_.training.seed));
  parts_.mel_normalisation() = mel_normalisation_of(corpora_.training);
  const RunDescription planned = measure_run(config_, corpora_, plan_, loading_, parts_, data_);
  memory_ = planned.memory;
  report_.log(format_run(planned));
  require_memory(memory_, parts_, config_, corpora_, plan_, batch_properties_of(config_, loading_));
}

TrainSummary Trainer::run() {
  start();
  bool is_stopped = false;
  while (true) {
    run_hooks();
    stop_if_interrupted();
    if (is_finished()) drain();
    if (is_finished()) break;  // draining may have rolled back
    is_stopped = should_stop_ && should_stop_();
    if (is_stopped) break;
    train_step();
  }
  drain();
  if (!is_trial_) checkpoints_.write();
  report_.finish(state_);
  if (!is_trial_ && !is_stopped) evaluation_.finish();
  TrainSummary summary = report_.summary(state_, plan_, corpora_, data_.report());
  summary.mode = data::name_of(lanes_.mode);
  summary.limited_by = log_bottleneck();
  summary.is_stopped = is_stopped;
  return summary;
}

// Drains first, so that the profile includes the last step.
void Trainer::end_profile() {
  drain();
  diagnosis_.end_profile();
}

std::string Trainer::log_bottleneck() {
  if (diagnosis_.is_profiling()) end_profile();  // the run had fewer steps than --profile
  return diagnosis_.log_bottleneck();
}

// Resumes from the newest checkpoint, else starts at step 0. With another corpus or shape plan, the
// batch order restarts at the next epoch.
void Trainer::start() {
  const std::string hash = corpus_hash(corpora_.training, plan_, loading_.grad_accum);
  const bool is_resumed = checkpoints_.resume();
  if (!is_resumed && !is_trial_)
    start_alignment(
        parts_, corpora_.training, config::num_workers_of(config_.data), data_.unreadable());
  base::write_file_atomically(run_ / "config.yaml", metadata_.config_yaml);
  if (is_resumed) {
    if (state_.corpus_hash != hash) {
      report_.log(
          "[train] corpus or shape plan differs from the checkpoint; batch order restarts at the "
          "next epoch\n");
      state_.position = {.epoch = state_.position.epoch + 1, .batch = 0};
    }
  }
  if (is_resumed)
    report_.log(format_extractor_change(state_.mel_extractor, corpora_.mel_extractor));
  state_.corpus_hash = hash;
  state_.mel_extractor = corpora_.mel_extractor;
  update_schedule();
  if (is_resumed && config_.training.max_steps.value_or(0) > state_.schedule_steps) {
    report_.log(
        fmt::format("[train] the schedule keeps its original {} steps; to change it: "
                    "--set training.schedule_steps=N\n",
                    state_.schedule_steps));
  }
  const auto log = [this](const std::string& text) { report_.log(text); };
  const double speed_ratio = measure_lanes_speed(parts_,
                                                 config_.training,
                                                 plan_.signatures.front(),
                                                 batch_properties_of(config_, loading_),
                                                 lanes_);
  data_.start(state_.position, log);
  report_.log(data::format_slow_lanes(lanes_, speed_ratio));
  for (const std::string& line : step_.prepare())
    report_.log(line + "\n");
  data_.warm_up(log);
  last_end_ = seconds_now();
  evaluation_.begin();
  report_.begin(state_);
}

// Runs the triggered hooks. After a signal, the remaining hooks do not run; the resumed run runs
// them first.
void Trainer::run_hooks() {
  if (triggers_now(config_.training, state_).any() ||
      is_checkpoint_due(config_.training, state_, checkpoints_.saved_step())) {
    drain();
    data_.fill_up();
  }
  const Triggers triggers = triggers_now(config_.training, state_);
  if (triggers.validation && base::pending_interrupt() == 0) evaluation_.validate();
  if (base::pending_interrupt() == 0) evaluation_.sample(triggers);
  const bool is_evaluation_due =
      triggers.evaluation || (is_finished() && evaluation_.is_final_evaluation_due());
  if (is_evaluation_due && !is_trial_ && base::pending_interrupt() == 0) evaluate();
  const bool is_best = is_best_step() && state_.step > 0 && checkpoints_.saved_step() < state_.step;
  if (!is_best && !is_checkpoint_due(config_.training, state_, checkpoints_.saved_step())) return;
  const base::Span span("checkpoint");
  checkpoints_.write();  // last: it stores that the other hooks of this step have run
}

// Drains first: the last step may cause a rollback, after which the evaluation is not due.
void Trainer::evaluate() {
  const std::int64_t step = state_.step;
  drain();
  if (state_.step == step) evaluation_.evaluate();
}

bool Trainer::is_best_step() const {
  return state_.best_step == state_.step ||
         (state_.judged_best && state_.judged_best->step == state_.step);
}

void Trainer::stop_if_interrupted() {
  const int signal = base::pending_interrupt();
  if (signal == 0) return;
  drain();
  checkpoints_.write();
  report_.interrupted(state_);
  if (!report_.last_steps().empty()) log_bottleneck();
  throw base::Interrupted(signal);
}

void Trainer::train_step() {
  if (diagnosis_.is_profile_complete()) end_profile();
  diagnosis_.begin_step();
  const base::Span whole("step", state_.step + 1);
  const double asked = seconds_now();
  PendingStep current{.batch = lane_.next(state_.step + 1), .state = {}, .timing = {}};
  if (!current.batch) return;  // a signal arrived; run() stops
  const double started = seconds_now();
  const double rate = schedule_.learning_rate(state_);
  const auto late = lane_.compute(
      *current.batch,
      {.step = state_.step + 1, .learning_rate = rate, .diagonal = schedule_.diagonal(state_)});
  const double ended = seconds_now();
  const base::Span host("host");

  ++state_.step;
  state_.position = current.batch->next;
  state_.trained_s += ended - started;
  current.state = state_;
  const std::int64_t depth = data_.report().depth;
  base::trace_counter("buffer", depth);
  current.timing = {.learning_rate = rate,
                    .step_s = ended - started,
                    .wait_s = started - asked,
                    .host_s = asked - last_end_,
                    .buffer_depth = depth,
                    .data = data_.take_times()};
  last_end_ = ended;
  pending_.push_back(std::move(current));
  for (const step::Retrace& retrace : step_.take_retraces())
    report_.log(retrace.message() + "\n");
  for (const std::string& line : data_.observe(started - asked, ended - started))
    report_.log(line);
  if (late) finish_step(*late);
  update_schedule();
}

// Logs the report of a step, which arrives at once on the CPU and one step later from a GPU. Rolls
// back after too many consecutive bad steps.
void Trainer::finish_step(const step::LateReport& late) {
  PendingStep done = std::move(pending_.front());
  pending_.pop_front();
  invariant(done.state.step == late.step, "reports arrive in the order of the steps");
  const bool good = late.report.not_finite.empty();
  state_.bad_in_a_row = good ? 0 : state_.bad_in_a_row + 1;
  if (!good) ++state_.skipped_steps;
  done.state.bad_in_a_row = state_.bad_in_a_row;
  done.state.skipped_steps = state_.skipped_steps;
  report_.step_finished(done.state, *done.batch, late.report, done.timing);
  if (on_step_) {
    on_step_({.step = done.state.step,
              .total_steps = done.state.schedule_steps,
              .loss = late.report.loss,
              .learning_rate = done.timing.learning_rate,
              .step_s = done.timing.step_s});
  }
  data_.recycle(std::move(done.batch));
  if (state_.bad_in_a_row >= config_.training.max_bad_steps) roll_back();
}

// Waits for the last step. Required before reading the weights or the result of the last step.
void Trainer::drain() {
  if (const auto late = step_.flush()) finish_step(*late);
}

void Trainer::update_schedule() {
  if (schedule_.update_length(state_)) report_.schedule_estimated(state_);
}

// Restores the newest checkpoint but keeps the position in the data: the batches since then are not
// repeated.
void Trainer::roll_back() {
  step_.flush();  // ignores the report of a step that ran with the discarded weights
  pending_.clear();
  const std::int64_t from = state_.step;
  checkpoints_.restore_newest();
  lane_.drop_staged();
  data_.seek(state_.position);
  report_.rolled_back(state_, from);
}

}  // namespace

TrainSummary train(const TrainRequest& request) {
  return train(request, find_lanes(request.resolved.config));
}

TrainSummary train(const TrainRequest& request, RunLanes lanes) {
  const std::filesystem::path run = request.resolved.config.training.checkpoint_dir;
  std::optional<base::QuietTerminal> quiet;
  if (request.is_quiet) quiet.emplace();
  const checkpoint::RunLock lock(run);
  if (request.reset_training) {
    const std::filesystem::path moved = archive_run(run);
    if (!moved.empty()) base::log("[train] previous run archived in {}\n", moved.string());
  }
  require_run_kind(run, request.task);
  std::optional<base::TraceFile> trace;
  if (!request.trace_file.empty()) trace.emplace(request.trace_file);
  base::name_thread("model");
  enter_model_lane(lanes.plan);
  const config::DataConfig& data = request.resolved.config.data;
  if (request.open_graph_device && data.prefetch_to_gpu) {  // tests replace the GPU by this device
    lanes.plan.staged_batches = data.prefetch_buffer_size;
  }
  Trainer trainer(request, lanes, run);
  TrainSummary summary = trainer.run();
  if (trace)
    base::log("[trace] {}\n", base::format_trace_summary(trace->finish(), request.trace_file));
  base::write_file_atomically(run / "summary.json", to_json(summary).dump(1) + "\n");
  base::write_file_atomically(
      run / "report.html",
      run_report_page(
          read_report_content(run, request.resolved.config.training), summary, run.string()));
  return summary;
}

}  // namespace myxtts::train
