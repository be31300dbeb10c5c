// Note [One step]: the trainer owns the order of things, never the mathematics. What a step
// computes is step/; what is saved is RunParts; what is shown is RunReport.
#include "train/trainer_torch.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "audio/mel_contract.h"
#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/terminal.h"
#include "checkpoint/run_lock.h"
#include "checkpoint/save_store.h"
#include "config/write_yaml.h"
#include "pipeline/loader.h"
#include "step/eager_step_torch.h"
#include "step/precision_torch.h"
#include "text/front_end.h"
#include "train/corpora.h"
#include "train/describe_run.h"
#include "train/run_folder.h"
#include "train/run_parts_torch.h"
#include "train/run_report.h"
#include "train/samples_torch.h"
#include "train/schedule.h"

namespace xtts::train {
namespace {

constexpr std::int64_t kStepsToEstimate = 20;     // before the length of a timed run is judged
constexpr std::int64_t kUnknownLength = 1 << 30;  // of a schedule until then
constexpr std::int64_t kMostRollbacks = 3;

// Of the diagonal prior at step 0, against unit-variance likelihoods.
constexpr double kDiagonalWeight = 20.0;

double seconds_now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

pipeline::LoaderSettings loader_settings(const config::Config& config,
                                         const audio::MelContract& contract) {
  const double frames = config.data.reference_audio_length * contract.sample_rate;
  return {.seed = static_cast<std::uint64_t>(config.training.seed),
          .grad_accum = config.training.gradient_accumulation_steps,
          .reference_frames = std::lround(frames / contract.hop_length),
          .crop_frames = config.model.decoder_crop_frames,
          .mel_pad = static_cast<float>(std::log(contract.mel_floor))};
}

class Trainer {
 public:
  Trainer(const TrainRequest& request, const std::filesystem::path& run);

  TrainSummary run();

 private:
  void restore_newest_save();
  void one_update();
  void validate();
  void sample();
  void save();
  void roll_back();
  void seek();
  void fix_schedule();
  bool is_due(std::int64_t interval, std::int64_t last) const;
  bool is_finished() const;
  double learning_rate() const;
  double diagonal() const;
  void stop_if_interrupted();

  const config::Config config_;
  const std::filesystem::path run_;
  const audio::MelContract contract_;
  text::FrontEnd front_end_;
  Corpora corpora_;
  const pipeline::LoaderSettings loading_;
  const pipeline::ShapePlan plan_;
  pipeline::Loader loader_;
  std::vector<pipeline::Update> validation_;
  RunParts parts_;
  TrainState& state_ = parts_.state;
  step::EagerStep step_;
  RunFacts facts_;
  checkpoint::SaveStore store_;
  RunReport report_;
  std::int64_t saved_step_ = -1;
};

pipeline::PlanSettings plan_settings(const config::Config& config) {
  return {.batch_size = config.data.batch_size,
          .grad_accum = config.training.gradient_accumulation_steps,
          .max_signatures = {}};
}

Trainer::Trainer(const TrainRequest& request, const std::filesystem::path& run)
    : config_(request.resolved.config),
      run_(run),
      contract_(audio::mel_contract_of(config_)),
      front_end_(text::text_settings_of(config_)),
      corpora_(load_corpora(config_, config::num_workers_of(config_.data))),
      loading_(loader_settings(config_, contract_)),
      plan_(pipeline::make_shape_plan(corpora_.training.lengths(), plan_settings(config_))),
      loader_(corpora_.training, plan_, loading_),
      parts_(config_, static_cast<std::int64_t>(front_end_.symbols().size())),
      step_(parts_.model,
            parts_.optimizer,
            config_.training,
            step::type_of(config_.training.precision)),
      facts_{.config_yaml = config::write_yaml(request.resolved),
             .contract = contract_,
             .symbols = front_end_.symbols().to_text(),
             .precision = config_.training.precision,
             .threads = at::get_num_threads()},
      store_(run / "checkpoints"),
      report_(config_, run) {
  if (!corpora_.validation.utterances.empty()) {
    const pipeline::ShapePlan plan =
        pipeline::make_shape_plan(corpora_.validation.lengths(), plan_settings(config_));
    validation_ = pipeline::validation_updates(corpora_.validation, plan, loading_);
  }
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  generator.set_current_seed(static_cast<std::uint64_t>(config_.training.seed));
  parts_.model.mel_scale() = mel_scale_of(corpora_.training);
  base::write_file_atomically(run / "config.yaml", facts_.config_yaml);
  report_.say(describe({.config = config_,
                        .corpora = corpora_,
                        .plan = plan_,
                        .updates_per_epoch = loader_.updates_in_epoch(0),
                        .num_parameters = parts_.model.parameters().num_elements(),
                        .reference_frames = loading_.reference_frames,
                        .threads = facts_.threads}));
}

TrainSummary Trainer::run() {
  restore_newest_save();
  fix_schedule();
  while (true) {
    stop_if_interrupted();
    if (is_due(config_.training.val_step, state_.validated_step)) validate();
    sample();
    if (is_due(config_.training.save_step, saved_step_)) save();
    if (is_finished()) break;
    one_update();
  }
  save();
  report_.finish(state_);
  if (!validation_.empty() && state_.validated_step < state_.step) {
    const step::AveragedWeights averaged(parts_.model.parameters(), parts_.optimizer);
    report_.final_validation(state_, step_.validate(validation_));
  }
  return report_.summary(state_, plan_, corpora_);
}

void Trainer::stop_if_interrupted() {
  const int signal = base::pending_interrupt();
  if (signal == 0) return;
  save();
  report_.interrupted(state_);
  throw base::Interrupted(signal);
}

void Trainer::one_update() {
  const double asked = seconds_now();
  pipeline::Update update = loader_.next();
  const double started = seconds_now();
  const double rate = learning_rate();
  const step::StepReport result = step_.run(update, rate, diagonal());
  const double ended = seconds_now();

  ++state_.step;
  state_.position = update.next;
  state_.trained_s += ended - started;
  const bool good = result.not_finite.empty();
  state_.bad_in_a_row = good ? 0 : state_.bad_in_a_row + 1;
  if (!good) ++state_.skipped_steps;
  report_.update(state_, update, result, {rate, ended - started, started - asked});
  if (state_.bad_in_a_row >= config_.training.max_bad_steps) roll_back();
  fix_schedule();
}

// A run by the clock has a schedule as long as its time allows. How many steps that is, is judged
// anew at every step, so that the schedule and the time end together on a machine of changing
// speed.
void Trainer::fix_schedule() {
  const config::TrainingConfig& training = config_.training;
  const bool by_the_clock = training.max_minutes && !training.max_steps && !training.schedule_steps;
  if (by_the_clock) {
    if (state_.step < kStepsToEstimate) return;
    const bool is_first = state_.schedule_steps == 0;
    const double per_step = state_.trained_s / static_cast<double>(state_.step);
    state_.schedule_steps =
        std::max<std::int64_t>(state_.step, std::llround(*training.max_minutes * 60.0 / per_step));
    if (is_first) report_.schedule_fixed(state_);
  } else if (state_.schedule_steps == 0) {
    const std::int64_t all_epochs = training.epochs * loader_.updates_in_epoch(0);
    state_.schedule_steps = training.schedule_steps ? *training.schedule_steps
                            : training.max_steps    ? *training.max_steps
                                                    : all_epochs;
  }
}

double Trainer::learning_rate() const {
  const std::int64_t length = state_.schedule_steps > 0 ? state_.schedule_steps : kUnknownLength;
  return schedule_of(config_.training, length).at(state_.step, state_.plateau.scale);
}

// The diagonal prior fades out linearly.
double Trainer::diagonal() const {
  const auto length = static_cast<double>(config_.training.alignment_prior_steps);
  if (length <= 0.0) return 0.0;
  return kDiagonalWeight * std::max(0.0, 1.0 - static_cast<double>(state_.step) / length);
}

bool Trainer::is_due(std::int64_t interval, std::int64_t last) const {
  return interval > 0 && state_.step > 0 && state_.step % interval == 0 && last < state_.step;
}

bool Trainer::is_finished() const {
  const config::TrainingConfig& training = config_.training;
  if (state_.stopped) return true;
  if (training.max_steps && state_.step >= *training.max_steps) return true;
  if (training.max_minutes && state_.trained_s >= *training.max_minutes * 60.0) return true;
  return !training.max_steps && !training.max_minutes && state_.position.epoch >= training.epochs;
}

void Trainer::validate() {
  state_.validated_step = state_.step;
  if (validation_.empty()) return;
  step::StepReport result;
  {
    const step::AveragedWeights averaged(parts_.model.parameters(), parts_.optimizer);
    result = step_.validate(validation_);
  }
  const PlateauVerdict verdict = observe(state_.plateau,
                                         result.loss,
                                         {.stop_patience = config_.training.early_stopping_patience,
                                          .halve_patience = config_.training.lr_plateau_patience,
                                          .min_delta = config_.training.early_stopping_min_delta});
  state_.validation_loss = result.loss;
  state_.stopped = verdict.stop;
  if (verdict.improved) state_.best_step = state_.step;
  report_.validation(state_, result, verdict);
  if (verdict.improved) save();
}

// What is due of sentences and pictures. A resumed run makes neither twice.
void Trainer::sample() {
  const config::TrainingConfig& training = config_.training;
  const bool speaks = training.enable_text2audio_eval &&
                      is_due(training.text2audio_interval_steps, state_.sampled_step);
  const bool draws = is_due(training.spectrogram_log_interval, state_.sampled_step);
  if (!speaks && !draws) return;
  state_.sampled_step = state_.step;
  const torch::Tensor voices = speaker_means(parts_, corpora_.training, loading_.reference_frames);
  const bool validates = !corpora_.validation.utterances.empty();
  const SampleSources sources{.model = parts_.model,
                              .optimizer = parts_.optimizer,
                              .front_end = front_end_,
                              .contract = contract_,
                              .training = training,
                              .features = validates ? corpora_.validation : corpora_.training,
                              .voice = voices[0],
                              .reference_frames = loading_.reference_frames,
                              .step = state_.step};
  if (speaks) speak_samples(sources, run_, report_.events());
  if (draws) draw_samples(sources, run_, report_.events());
}

void Trainer::save() {
  if (saved_step_ == state_.step) return;
  report_.flush();
  const double started = seconds_now();
  store_.require_space(save_bytes(parts_));
  write_save(store_,
             parts_,
             facts_,
             corpora_.training,
             speaker_means(parts_, corpora_.training, loading_.reference_frames));
  saved_step_ = state_.step;
  store_.prune(config_.training.keep_checkpoints, std::vector<std::int64_t>{state_.best_step});
  report_.saved(state_, seconds_now() - started);
}

void Trainer::restore_newest_save() {
  store_.remove_unfinished();
  const checkpoint::NewestGood newest = store_.newest_good();
  for (const checkpoint::BrokenSave& broken : newest.broken)
    report_.broken_save(broken.folder.string(), broken.reason);
  require(newest.save.has_value() || newest.broken.empty(),
          "{} has saves and none of them is good: bring one back, or start anew with "
          "--reset-training, which moves them aside",
          (run_ / "checkpoints").string());
  if (newest.save) {
    restore(*newest.save, parts_, facts_);
    seek();
    saved_step_ = state_.step;
  }
  state_.corpus_hash = corpus_hash(corpora_.training, plan_);
  store_.require_space(save_bytes(parts_));
  report_.begin(state_);
}

// The next update of the order. Another corpus has another order: it begins with the next epoch.
void Trainer::seek() {
  if (state_.corpus_hash != corpus_hash(corpora_.training, plan_)) {
    report_.say("[train] the corpus or its plan is not that of the save: its order starts anew\n");
    state_.position = {.epoch = state_.position.epoch + 1, .update = 0};
  }
  loader_.seek(state_.position);
}

// Back to the last good weights; the batches that led astray are not seen again.
void Trainer::roll_back() {
  const pipeline::LoaderPosition onwards = state_.position;
  const std::int64_t rollbacks = state_.rollbacks + 1;
  const std::int64_t skipped = state_.skipped_steps;
  const std::int64_t from = state_.step;
  checkpoint::NewestGood newest = store_.newest_good();
  require(newest.save.has_value() && rollbacks <= kMostRollbacks,
          "{} updates in a row were not finite at step {}{}: lower the learning rate (--lr {:.1g}) "
          "or the clip norm, then run the same command again",
          config_.training.max_bad_steps,
          from,
          newest.save ? fmt::format(", after {} returns to the last good save", rollbacks - 1)
                      : " and there is no save to go back to",
          config_.training.learning_rate / 2);
  restore(*newest.save, parts_, facts_);
  state_.position = onwards;
  state_.rollbacks = rollbacks;
  state_.skipped_steps = skipped;
  state_.bad_in_a_row = 0;
  loader_.seek(onwards);
  saved_step_ = state_.step;
  report_.rolled_back(state_, from);
}

}  // namespace

std::string describe_without_training(const config::Config& config) {
  const text::FrontEnd front_end(text::text_settings_of(config));
  const Corpora corpora = load_corpora(config, config::num_workers_of(config.data));
  const pipeline::LoaderSettings loading = loader_settings(config, audio::mel_contract_of(config));
  const pipeline::ShapePlan plan =
      pipeline::make_shape_plan(corpora.training.lengths(), plan_settings(config));
  const RunParts parts(config, static_cast<std::int64_t>(front_end.symbols().size()));
  return describe(
      {.config = config,
       .corpora = corpora,
       .plan = plan,
       .updates_per_epoch = pipeline::Loader(corpora.training, plan, loading).updates_in_epoch(0),
       .num_parameters = parts.model.parameters().num_elements(),
       .reference_frames = loading.reference_frames,
       .threads = at::get_num_threads()});
}

TrainSummary train(const TrainRequest& request) {
  const std::filesystem::path run = request.resolved.config.training.checkpoint_dir;
  const checkpoint::RunLock lock(run);
  if (request.reset_training) {
    const std::filesystem::path moved = set_aside(run);
    if (!moved.empty()) base::say("[train] what was there is now in {}\n", moved.string());
  }
  Trainer trainer(request, run);
  TrainSummary summary = trainer.run();
  base::write_file_atomically(run / "summary.json", to_json(summary).dump(1) + "\n");
  return summary;
}

}  // namespace xtts::train
