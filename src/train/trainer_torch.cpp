// Note [One step]: the trainer owns the order of things, never the mathematics. What a step
// computes is step/; what is saved is RunParts; what is shown is RunReport.
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
#include "pipeline/lane_words.h"
#include "text/front_end.h"
#include "train/checkpoint_manager_torch.h"
#include "train/corpora.h"
#include "train/data_loader.h"
#include "train/gta_mels_torch.h"
#include "train/lanes_speed_torch.h"
#include "train/memory_need_torch.h"
#include "train/model_lane_torch.h"
#include "train/product_speed_torch.h"
#include "train/run_diagnosis_torch.h"
#include "train/run_evaluation_torch.h"
#include "train/run_folder.h"
#include "train/run_lanes_torch.h"
#include "train/run_page.h"
#include "train/run_parts_torch.h"
#include "train/run_preview_torch.h"
#include "train/run_report.h"
#include "train/run_schedule.h"
#include "train/run_step_torch.h"
#include "train/speaker_clips_torch.h"
#include "train/triggers.h"
#include "train/watchdog.h"

namespace xtts::train {
namespace {

double seconds_now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// An update that was started and what will be said of it, once its report comes.
struct StartedUpdate {
  std::unique_ptr<pipeline::Batch> update;
  TrainState state;  // after it
  UpdateTimes times;
};

std::unique_ptr<step::GraphDevice> graph_device_of(const TrainRequest& request,
                                                   const torch::Device& device) {
  if (request.trained == Task::kVocoder) return nullptr;
  if (request.open_graph_device) return request.open_graph_device();
  return device.is_cuda() ? step::open_graph_device(device.index()) : nullptr;
}

RunWatchdog::Limits watch_limits(const config::TrainingConfig& training) {
  const std::chrono::duration<double> hopeless(60.0 * training.hang_minutes);
  return {.hopeless = std::chrono::duration_cast<RunWatchdog::Clock::duration>(hopeless)};
}

// The thread that trains cannot be reached: nothing is unwound, and a save is whole or not there.
[[noreturn]] void end_process(RunReport& report, const std::string& reason) {
  report.say("myxtts: " + reason + "\n");
  std::_Exit(1);
}

class Trainer {
 public:
  Trainer(const TrainRequest& request, const RunLanes& lanes, const std::filesystem::path& run);

  TrainSummary run();

 private:
  void start();
  void one_update();
  void finish(const step::LateReport& late);
  void settle();
  void do_what_is_due();
  void judge();
  bool is_best_step() const;
  void roll_back();
  void fix_schedule();
  bool is_finished() const { return schedule_.is_finished(state_); }
  void stop_if_interrupted();
  void end_profile();
  std::string say_limit();

  const config::Config config_;
  const pipeline::LanePlan lanes_;
  const std::filesystem::path run_;
  const audio::MelSpec contract_;
  text::FrontEnd front_end_;
  const bool is_trial_;  // nothing is kept
  Corpora corpora_;
  const pipeline::LoaderSettings loading_;
  const pipeline::ShapePlan plan_;
  DataLoader data_;
  const RunSchedule schedule_;
  RunParts parts_;
  TrainState& state_ = parts_.state;
  RunStep step_;
  std::deque<StartedUpdate> started_;  // whose reports have not come
  RunMetadata facts_;
  RunReport report_;
  RunWatchdog watch_;
  CheckpointManager saves_;
  RunEvaluation reviews_;
  double last_end_ = 0.0;  // of the last step; what lies before the next one is the host's
  ModelLane lane_;
  MemoryNeed memory_;
  RunDiagnosis verdict_;
};

Trainer::Trainer(const TrainRequest& request,
                 const RunLanes& lanes,
                 const std::filesystem::path& run)
    : config_(placed_on(request.resolved.config, lanes.plan)),
      lanes_(lanes.plan),
      run_(run),
      contract_(audio::mel_spec_of(config_)),
      front_end_(text::text_settings_of(config_)),
      is_trial_(request.is_trial),
      corpora_(with_gta_mels(load_corpora(config_,
                                          config::num_workers_of(config_.data),
                                          lanes.mels,
                                          request.most_utterances,
                                          request.trained),
                             config_)),
      loading_(loading_of(config_, request.trained)),
      plan_(plan_of(config_, corpora_)),
      data_(lanes_, corpora_.training, plan_, loading_),
      schedule_(config_.training, data_.updates_per_epoch()),
      parts_(config_, static_cast<std::int64_t>(front_end_.symbols().size()), request.trained),
      step_(parts_,
            config_.training,
            plan_,
            batch_facts_of(config_, loading_),
            graph_device_of(request, parts_.device),
            lanes_.model.cores,
            lanes_.staged_batches * config_.training.gradient_accumulation_steps),
      facts_{.trained = request.trained,
             .config_yaml = config::write_yaml(request.resolved),
             .contract = contract_,
             .symbols = front_end_.symbols().to_text(),
             .precision = config_.training.precision,
             .threads = at::get_num_threads()},
      report_(config_, run),
      watch_(
          watch_limits(config_.training),
          [this](const std::string& line) { report_.say(line); },
          [this](const std::string& reason) { end_process(report_, reason); }),
      saves_(run,
             config_,
             facts_,
             corpora_.training,
             parts_.voice
                 ? read_speaker_clips(corpora_.training, loading_.reference_frames, data_.lost())
                 : std::vector<torch::Tensor>(),
             parts_,
             report_,
             watch_),
      reviews_({.config = config_,
                .run = run_,
                .contract = contract_,
                .corpora = corpora_,
                .plan = plan_,
                .loading = loading_,
                .step = step_.plain(),
                .front_end = front_end_,
                .parts = parts_,
                .report = report_,
                .watch = watch_,
                .speaker_clips = saves_.speaker_clips()}),
      lane_({.lanes = lanes_,
             .data = data_,
             .step = step_,
             .saves = saves_,
             .watch = watch_,
             .before_step = request.before_step}),
      verdict_({.config = config_,
                .run = run_,
                .lanes = lanes_,
                .plan = plan_,
                .corpora = corpora_,
                .memory = memory_,
                .data = data_,
                .parts = parts_,
                .report = report_},
               request) {
  if (is_trial_) data_.begin_empty();
  at::Generator generator = at::globalContext().defaultGenerator(parts_.device);
  generator.set_current_seed(static_cast<std::uint64_t>(config_.training.seed));
  parts_.mel_scale() = mel_normalisation_of(corpora_.training);
  const RunDescription planned = measure_run(config_, corpora_, plan_, loading_, parts_, data_);
  memory_ = planned.memory;
  report_.say(describe(planned));
  require_memory(memory_, parts_, config_, corpora_, plan_, batch_facts_of(config_, loading_));
}

TrainSummary Trainer::run() {
  start();
  while (true) {
    do_what_is_due();
    stop_if_interrupted();
    if (is_finished()) settle();
    if (is_finished()) break;  // it may have gone back to a save
    one_update();
  }
  if (!is_trial_) saves_.write();
  report_.finish(state_);
  if (!is_trial_) reviews_.at_end();
  TrainSummary summary = report_.summary(state_, plan_, corpora_, data_.report());
  summary.mode = pipeline::name_of(lanes_.mode);
  summary.limited_by = say_limit();
  return summary;
}

// The last report belongs to what is judged.
void Trainer::end_profile() {
  settle();
  verdict_.end_profile();
}

std::string Trainer::say_limit() {
  if (verdict_.is_profiling()) end_profile();  // fewer steps than it was to look at
  return verdict_.say_limit();
}

// Where the newest save ends, else at step 0. Another corpus has another order: it begins with the
// next epoch.
void Trainer::start() {
  const std::string hash = corpus_hash(corpora_.training, plan_, loading_.grad_accum);
  const bool is_resumed = saves_.resume();
  if (!is_resumed && !is_trial_)
    start_alignment(parts_, corpora_.training, config::num_workers_of(config_.data), data_.lost());
  base::write_file_atomically(run_ / "config.yaml", facts_.config_yaml);
  if (is_resumed) {
    if (state_.corpus_hash != hash) {
      report_.say(
          "[train] the corpus or its plan is not that of the save: its order starts anew\n");
      state_.position = {.epoch = state_.position.epoch + 1, .update = 0};
    }
  }
  if (is_resumed) report_.say(other_mels_line(state_.mel_maker, corpora_.mel_maker));
  state_.corpus_hash = hash;
  state_.mel_maker = corpora_.mel_maker;
  fix_schedule();
  if (is_resumed && config_.training.max_steps.value_or(0) > state_.schedule_steps) {
    report_.say(
        fmt::format("[train] the schedule keeps the {} steps it was started with; for another: "
                    "--set training.schedule_steps=N\n",
                    state_.schedule_steps));
  }
  const auto say = [this](const std::string& text) { report_.say(text); };
  const double speed = measure_lanes_speed(parts_,
                                           config_.training,
                                           plan_.signatures.front(),
                                           batch_facts_of(config_, loading_),
                                           lanes_);
  data_.start(state_.position, say);
  report_.say(pipeline::slower_lanes_line(lanes_, speed));
  for (const std::string& line : step_.prepare())
    report_.say(line + "\n");
  data_.warm_up(say);
  last_end_ = seconds_now();
  reviews_.begin();
  report_.begin(state_);
}

// A request to stop comes first: what it leaves undone the next start does.
void Trainer::do_what_is_due() {
  if (triggers_now(config_.training, state_).any() ||
      is_checkpoint_due(config_.training, state_, saves_.saved_step())) {
    settle();
    data_.fill_up();
  }
  const Triggers due = triggers_now(config_.training, state_);
  if (due.validation && base::pending_interrupt() == 0) reviews_.validate();
  if (base::pending_interrupt() == 0) reviews_.sample(due);
  const bool is_judged = due.evaluation || (is_finished() && reviews_.is_last_unjudged());
  if (is_judged && !is_trial_ && base::pending_interrupt() == 0) judge();
  const bool is_best = is_best_step() && state_.step > 0 && saves_.saved_step() < state_.step;
  if (!is_best && !is_checkpoint_due(config_.training, state_, saves_.saved_step())) return;
  const base::Span span("save");
  saves_.write();  // last, so that it knows of all this
}

// The last report comes first: it may lead back to a save, and then this is not the end.
void Trainer::judge() {
  const std::int64_t step = state_.step;
  settle();
  if (state_.step == step) reviews_.evaluate();
}

bool Trainer::is_best_step() const {
  return state_.best_step == state_.step ||
         (state_.judged_best && state_.judged_best->step == state_.step);
}

void Trainer::stop_if_interrupted() {
  const int signal = base::pending_interrupt();
  if (signal == 0) return;
  settle();
  saves_.write();
  report_.interrupted(state_);
  if (!report_.last_steps().empty()) say_limit();
  throw base::Interrupted(signal);
}

void Trainer::one_update() {
  if (verdict_.is_profile_complete()) end_profile();
  verdict_.step_begins();
  const base::Span whole("step", state_.step + 1);
  const double asked = seconds_now();
  StartedUpdate now{.update = lane_.next(state_.step + 1), .state = {}, .times = {}};
  if (!now.update) return;
  const double started = seconds_now();
  const double rate = schedule_.learning_rate(state_);
  const auto late = lane_.compute(
      *now.update,
      {.step = state_.step + 1, .learning_rate = rate, .diagonal = schedule_.diagonal(state_)});
  const double ended = seconds_now();
  const base::Span host("host");

  ++state_.step;
  state_.position = now.update->next;
  state_.trained_s += ended - started;
  now.state = state_;
  const std::int64_t depth = data_.report().depth;
  base::trace_counter("buffer", depth);
  now.times = {
      rate, ended - started, started - asked, asked - last_end_, depth, data_.take_times()};
  last_end_ = ended;
  started_.push_back(std::move(now));
  for (const step::Retrace& retrace : step_.take_retraces())
    report_.say(retrace.message() + "\n");
  for (const std::string& line : data_.observe(started - asked, ended - started))
    report_.say(line);
  if (late) finish(*late);
  fix_schedule();
}

// The report of an update has come: at once on the CPU, one update later from a GPU.
void Trainer::finish(const step::LateReport& late) {
  StartedUpdate done = std::move(started_.front());
  started_.pop_front();
  invariant(done.state.step == late.step, "reports come in the order of their updates");
  const bool good = late.report.not_finite.empty();
  state_.bad_in_a_row = good ? 0 : state_.bad_in_a_row + 1;
  if (!good) ++state_.skipped_steps;
  done.state.bad_in_a_row = state_.bad_in_a_row;
  done.state.skipped_steps = state_.skipped_steps;
  report_.update(done.state, *done.update, late.report, done.times);
  data_.give_back(std::move(done.update));
  if (state_.bad_in_a_row >= config_.training.max_bad_steps) roll_back();
}

// Whoever looks at the weights, or at what became of the last update, waits for it first.
void Trainer::settle() {
  if (const auto late = step_.flush()) finish(*late);
}

void Trainer::fix_schedule() {
  if (schedule_.fix(state_)) report_.schedule_fixed(state_);
}

// Back to the last good weights; the batches that led astray are not seen again.
void Trainer::roll_back() {
  step_.flush();  // an update of weights that are given up
  started_.clear();
  const std::int64_t from = state_.step;
  saves_.return_to_newest();
  lane_.forget_upcoming();
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
    if (!moved.empty()) base::say("[train] what was there is now in {}\n", moved.string());
  }
  require_run_of(run, request.trained);
  std::optional<base::TraceFile> trace;
  if (!request.trace_file.empty()) trace.emplace(request.trace_file);
  base::name_thread("model");
  enter_model_lane(lanes.plan);
  const config::DataConfig& data = request.resolved.config.data;
  if (request.open_graph_device && data.prefetch_to_gpu) {  // it stands for a GPU
    lanes.plan.staged_batches = data.prefetch_buffer_size;
  }
  Trainer trainer(request, lanes, run);
  TrainSummary summary = trainer.run();
  if (trace) base::say("[trace] {}\n", base::describe(trace->finish(), request.trace_file));
  base::write_file_atomically(run / "summary.json", to_json(summary).dump(1) + "\n");
  base::write_file_atomically(
      run / "report.html",
      run_page(read_run_story(run, request.resolved.config.training), summary, run.string()));
  return summary;
}

}  // namespace xtts::train
