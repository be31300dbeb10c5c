#include "train/run_evaluation_torch.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/trace.h"
#include "speak/synthesis_settings.h"
#include "train/evaluate_torch.h"
#include "train/plateau.h"
#include "train/samples_torch.h"

namespace xtts::train {

RunEvaluation::RunEvaluation(const EvaluatedRun& reviewed)
    : reviewed_(reviewed),
      validation_(reviewed.corpora.validation, reviewed.plan, reviewed.loading),
      judged_sentences_(sentences_to_judge(reviewed.config.training)) {}

void RunEvaluation::validate() {
  TrainState& state = reviewed_.parts.state;
  if (validation_.is_empty()) {
    state.validated_step = state.step;
    return;
  }
  const base::Span span("validation");
  const std::optional<step::StepReport> result =
      validation_.losses(reviewed_.step, reviewed_.parts, reviewed_.watch);
  if (!result) return;
  state.validated_step = state.step;
  const config::TrainingConfig& training = reviewed_.config.training;
  const PlateauDecision verdict = observe(state.plateau,
                                          result->loss,
                                          {.stop_patience = training.early_stopping_patience,
                                           .halve_patience = training.lr_plateau_patience,
                                           .min_delta = training.early_stopping_min_delta});
  state.validation_loss = result->loss;
  state.stopped = verdict.stop;
  if (verdict.improved) state.best_step = state.step;
  reviewed_.report.validation(state, *result, verdict);
}

void RunEvaluation::sample(const Triggers& due) {
  if (!due.sentences && !due.pictures) return;
  TrainState& state = reviewed_.parts.state;
  state.sampled_step = state.step;
  const RunWatchdog::Watched watched(reviewed_.watch, RunWork::kReview, state.step);
  const bool validates = !reviewed_.corpora.validation.utterances.empty();
  const pipeline::FeatureSet& features =
      validates ? reviewed_.corpora.validation : reviewed_.corpora.training;
  if (reviewed_.parts.vocoder) {
    if (!due.sentences) return;
    resound_samples({.vocoder = *reviewed_.parts.vocoder,
                     .optimizer = reviewed_.parts.optimizer,
                     .contract = reviewed_.contract,
                     .training = reviewed_.config.training,
                     .features = features,
                     .step = state.step},
                    reviewed_.run,
                    reviewed_.report.events(),
                    not_drawn_);
    return;
  }
  const torch::Tensor voices = speaker_means(reviewed_.parts, reviewed_.speaker_clips);
  const SampleSources sources{.model = *reviewed_.parts.voice,
                              .optimizer = reviewed_.parts.optimizer,
                              .front_end = reviewed_.front_end,
                              .contract = reviewed_.contract,
                              .training = reviewed_.config.training,
                              .features = features,
                              .voice = voices[0],
                              .reference_frames = reviewed_.loading.reference_frames,
                              .step = state.step};
  if (due.sentences) speak_samples(sources, reviewed_.run, reviewed_.report.events());
  if (due.pictures) draw_samples(sources, reviewed_.run, reviewed_.report.events(), not_drawn_);
}

void RunEvaluation::evaluate() try {
  const base::Span span("evaluation");
  const auto begin = std::chrono::steady_clock::now();
  RunParts& parts = reviewed_.parts;
  TrainState& state = parts.state;
  const config::Config& config = reviewed_.config;
  const torch::Tensor voices = speaker_means(parts, reviewed_.speaker_clips);
  const EvaluatedVoice voice{
      .model = *parts.voice,
      .optimizer = parts.optimizer,
      .front_end = reviewed_.front_end,
      .contract = reviewed_.contract,
      .voice = voices[0],
      .settings = {.max_piece_characters = speak::piece_characters(config.data.max_text_length),
                   .num_workers = config::threads_of(config.training)}};
  const std::size_t count = judged_sentences_.size();
  EvaluationResult result =
      train::evaluate(voice,
                      judged_sentences_,
                      config.training.evaluate_judge.value(),
                      reviewed_.run / "evaluation",
                      [&](std::size_t done) {
                        reviewed_.report.show_work(
                            fmt::format("[train] speaking {} of {} to the judge", done, count));
                      });
  state.evaluated_step = state.step;
  state.judged = Judged{.step = state.step, .answer = std::move(result.answer)};
  if (is_best(state.judged->answer, state.judged_best)) state.judged_best = state.judged;
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  reviewed_.report.judged(state, result.num_unspoken, taken.count());
} catch (const UserError& error) {
  TrainState& state = reviewed_.parts.state;
  state.evaluated_step = state.step;
  reviewed_.report.not_judged(state, error.what());
} catch (const base::Interrupted&) {  // the trainer sees the signal and saves
}

bool RunEvaluation::is_last_unjudged() const {
  const TrainState& state = reviewed_.parts.state;
  return reviewed_.config.training.evaluate_every > 0 && state.step > first_step_ &&
         state.evaluated_step < state.step;
}

void RunEvaluation::at_end() {
  const TrainState& state = reviewed_.parts.state;
  if (!validation_.is_empty() && state.validated_step < state.step) {
    if (const auto result = validation_.losses(reviewed_.step, reviewed_.parts, reviewed_.watch))
      reviewed_.report.final_validation(state, *result);
  }
  if (state.step == first_step_ || state.sampled_step == state.step) return;
  const config::TrainingConfig& training = reviewed_.config.training;
  sample({.validation = false,
          .sentences = training.enable_text2audio_eval && training.text2audio_interval_steps > 0,
          .pictures = training.spectrogram_log_interval > 0});
}

}  // namespace xtts::train
