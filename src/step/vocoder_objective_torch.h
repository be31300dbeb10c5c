#pragma once

#include <array>

#include "config/training_config.h"
#include "model/vocoder_torch.h"
#include "model/waveform_losses_torch.h"
#include "step/objective_torch.h"

namespace xtts::step {

// The vocoder on batches of sound: how far what it makes of the mel is from the recorded samples.
// Each part is a mean over the utterances of the update. Where it has discriminators, both sides
// learn in one step: they tell the recording from what is made ("telling"), and the vocoder, with
// their weights held, is to be taken for it ("fooling", "features").
class VocoderObjective final : public Objective {
 public:
  // Borrows the vocoder.
  VocoderObjective(model::Vocoder& vocoder, const config::TrainingConfig& training);

  model::ParameterSet& parameters() const override { return vocoder_.parameters(); }
  std::vector<LossShare> losses(pipeline::MicroBatch& batch,
                                const pipeline::BatchCounts& counts,
                                const LossSettings& settings,
                                double& copy_s) const override;

 private:
  model::Vocoder& vocoder_;
  model::WaveformLosses losses_;
  double magnitude_weight_, convergence_weight_, complex_weight_, mel_weight_;
  double adversarial_weight_;
};

}  // namespace xtts::step
