#include "train/run_evaluation_torch.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/trace.h"
#include "synthesis/synthesis_settings.h"
#include "train/evaluate_torch.h"
#include "train/plateau.h"
#include "train/samples_torch.h"

namespace myxtts::train {

RunEvaluation::RunEvaluation(const EvaluatedRun& run)
    : run_(run),
      validation_(run.corpora.validation, run.plan, run.loading),
      sentences_(evaluation_sentences(run.config.training)) {}

void RunEvaluation::validate() {
  TrainState& state = run_.parts.state;
  if (validation_.is_empty()) {
    state.validated_step = state.step;
    return;
  }
  const base::Span span("validation");
  const std::optional<step::StepReport> result =
      validation_.losses(run_.step, run_.parts, run_.watchdog);
  if (!result) return;
  state.validated_step = state.step;
  const config::TrainingConfig& training = run_.config.training;
  const PlateauDecision decision = observe(state.plateau,
                                           result->loss,
                                           {.stop_patience = training.early_stopping_patience,
                                            .halve_patience = training.lr_plateau_patience,
                                            .min_delta = training.early_stopping_min_delta});
  state.validation_loss = result->loss;
  state.stopped = decision.stop;
  if (decision.improved) state.best_step = state.step;
  run_.report.validation(state, *result, decision);
}

void RunEvaluation::sample(const Triggers& triggers) {
  if (!triggers.synthesis && !triggers.plots) return;
  TrainState& state = run_.parts.state;
  state.sampled_step = state.step;
  const RunWatchdog::ScopedActivity activity(run_.watchdog, Activity::kEvaluate, state.step);
  const bool validates = !run_.corpora.validation.utterances.empty();
  const data::FeatureSet& features = validates ? run_.corpora.validation : run_.corpora.training;
  if (run_.parts.vocoder) {
    if (!triggers.synthesis) return;
    vocode_samples({.vocoder = *run_.parts.vocoder,
                    .optimizer = run_.parts.optimizer,
                    .mel_spec = run_.mel_spec,
                    .training = run_.config.training,
                    .features = features,
                    .step = state.step},
                   run_.run,
                   run_.report.events(),
                   unreadable_);
    return;
  }
  const torch::Tensor voices = speaker_means(run_.parts, run_.speaker_clips);
  const SampleSources sources{.model = *run_.parts.voice,
                              .optimizer = run_.parts.optimizer,
                              .front_end = run_.front_end,
                              .mel_spec = run_.mel_spec,
                              .training = run_.config.training,
                              .features = features,
                              .voice = voices[0],
                              .reference_frames = run_.loading.reference_frames,
                              .step = state.step};
  if (triggers.synthesis) synthesise_samples(sources, run_.run, run_.report.events());
  if (triggers.plots) plot_samples(sources, run_.run, run_.report.events(), unreadable_);
}

void RunEvaluation::evaluate() try {
  const base::Span span("evaluation");
  const auto begin = std::chrono::steady_clock::now();
  RunParts& parts = run_.parts;
  TrainState& state = parts.state;
  const config::Config& config = run_.config;
  const torch::Tensor voices = speaker_means(parts, run_.speaker_clips);
  const EvaluatedVoice voice{
      .model = *parts.voice,
      .optimizer = parts.optimizer,
      .front_end = run_.front_end,
      .mel_spec = run_.mel_spec,
      .embedding = voices[0],
      .settings = {
          .max_piece_characters = synthesis::max_characters_per_piece(config.data.max_text_length),
          .num_workers = config::threads_of(config.training)}};
  const std::size_t count = sentences_.size();
  EvaluationResult result =
      train::evaluate(voice,
                      sentences_,
                      config.training.evaluate_judge.value(),
                      run_.run / "evaluation",
                      [&](std::size_t done) {
                        run_.report.show_activity(fmt::format(
                            "[train] synthesising sentence {} of {} for the judge", done, count));
                      });
  state.evaluated_step = state.step;
  state.judged = JudgedStep{.step = state.step, .judgement = std::move(result.judgement)};
  if (is_best(state.judged->judgement, state.judged_best)) state.judged_best = state.judged;
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  run_.report.judged(state, result.num_unspoken, taken.count());
} catch (const UserError& error) {
  TrainState& state = run_.parts.state;
  state.evaluated_step = state.step;
  run_.report.not_judged(state, error.what());
} catch (const base::Interrupted&) {  // the trainer handles the signal and writes a checkpoint
}

bool RunEvaluation::is_final_evaluation_due() const {
  const TrainState& state = run_.parts.state;
  return run_.config.training.evaluate_every > 0 && state.step > first_step_ &&
         state.evaluated_step < state.step;
}

void RunEvaluation::finish() {
  const TrainState& state = run_.parts.state;
  if (!validation_.is_empty() && state.validated_step < state.step) {
    if (const auto result = validation_.losses(run_.step, run_.parts, run_.watchdog))
      run_.report.final_validation(state, *result);
  }
  if (state.step == first_step_ || state.sampled_step == state.step) return;
  const config::TrainingConfig& training = run_.config.training;
  sample({.validation = false,
          .synthesis = training.enable_text2audio_eval && training.text2audio_interval_steps > 0,
          .plots = training.spectrogram_log_interval > 0});
}

}  // namespace myxtts::train
