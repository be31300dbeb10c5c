#pragma once

#include <array>

#include "config/training_config.h"
#include "model/vocoder_torch.h"
#include "model/waveform_losses_torch.h"
#include "step/objective_torch.h"

namespace myxtts::step {

// Training objective of the vocoder: spectral distances between generated and recorded waveforms,
// each a mean over the utterances of the batch. With discriminators one step trains both sides: the
// discriminators by "disc", and the vocoder, with frozen discriminator weights, by "gen" and "fm"
// (feature matching).
class VocoderObjective final : public Objective {
 public:
  // Borrows the vocoder.
  VocoderObjective(model::Vocoder& vocoder, const config::TrainingConfig& training);

  model::ParameterSet& parameters() const override { return vocoder_.parameters(); }
  std::vector<LossShare> losses(data::MicroBatch& batch,
                                const data::BatchCounts& counts,
                                const LossSettings& settings,
                                double& copy_s) const override;

 private:
  model::Vocoder& vocoder_;
  model::WaveformLosses losses_;
  double magnitude_weight_, convergence_weight_, complex_weight_, mel_weight_;
  double adversarial_weight_;
};

}  // namespace myxtts::step
