#include "train/run_reviews_torch.h"

#include <optional>

#include "base/trace.h"
#include "train/plateau.h"
#include "train/samples_torch.h"

namespace xtts::train {

RunReviews::RunReviews(const ReviewedRun& reviewed)
    : reviewed_(reviewed),
      validation_(reviewed.corpora.validation, reviewed.plan, reviewed.loading) {}

void RunReviews::validate() {
  TrainState& state = reviewed_.parts.state;
  if (validation_.is_empty()) {
    state.validated_step = state.step;
    return;
  }
  const base::Span span("validation");
  const std::optional<step::StepReport> result =
      validation_.losses(reviewed_.step, reviewed_.parts);
  if (!result) return;
  state.validated_step = state.step;
  const config::TrainingConfig& training = reviewed_.config.training;
  const PlateauVerdict verdict = observe(state.plateau,
                                         result->loss,
                                         {.stop_patience = training.early_stopping_patience,
                                          .halve_patience = training.lr_plateau_patience,
                                          .min_delta = training.early_stopping_min_delta});
  state.validation_loss = result->loss;
  state.stopped = verdict.stop;
  if (verdict.improved) state.best_step = state.step;
  reviewed_.report.validation(state, *result, verdict);
}

void RunReviews::sample(const Due& due) {
  if (!due.sentences && !due.pictures) return;
  TrainState& state = reviewed_.parts.state;
  state.sampled_step = state.step;
  const torch::Tensor voices = speaker_means(reviewed_.parts, reviewed_.speaker_clips);
  const bool validates = !reviewed_.corpora.validation.utterances.empty();
  const SampleSources sources{
      .model = reviewed_.parts.model,
      .optimizer = reviewed_.parts.optimizer,
      .front_end = reviewed_.front_end,
      .contract = reviewed_.contract,
      .training = reviewed_.config.training,
      .features = validates ? reviewed_.corpora.validation : reviewed_.corpora.training,
      .voice = voices[0],
      .reference_frames = reviewed_.loading.reference_frames,
      .step = state.step};
  if (due.sentences) speak_samples(sources, reviewed_.run, reviewed_.report.events());
  if (due.pictures) draw_samples(sources, reviewed_.run, reviewed_.report.events(), not_drawn_);
}

void RunReviews::at_end() {
  const TrainState& state = reviewed_.parts.state;
  if (!validation_.is_empty() && state.validated_step < state.step) {
    if (const auto result = validation_.losses(reviewed_.step, reviewed_.parts))
      reviewed_.report.final_validation(state, *result);
  }
  if (state.step == first_step_ || state.sampled_step == state.step) return;
  const config::TrainingConfig& training = reviewed_.config.training;
  sample({.validation = false,
          .sentences = training.enable_text2audio_eval && training.text2audio_interval_steps > 0,
          .pictures = training.spectrogram_log_interval > 0});
}

}  // namespace xtts::train
