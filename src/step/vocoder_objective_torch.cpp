#include "step/vocoder_objective_torch.h"

#include <algorithm>

#include "model/inputs_torch.h"
#include "step/copy_time.h"

namespace myxtts::step {
namespace {

// Relative weight of feature matching, whose gradient is more informative than that of the score.
constexpr double kFeatureMatchingRatio = 10.0;

model::WaveformInputs copy_waveform_inputs(const torch::Device& device,
                                           data::MicroBatch& batch,
                                           double& copy_s) {
  const CopyTime time(copy_s);
  return model::moved_to(model::waveform_inputs_of(batch), device);
}

}  // namespace

VocoderObjective::VocoderObjective(model::Vocoder& vocoder, const config::TrainingConfig& training)
    : vocoder_(vocoder),
      losses_(vocoder.config()),
      magnitude_weight_(training.vocoder_magnitude_loss_weight),
      convergence_weight_(training.vocoder_convergence_loss_weight),
      complex_weight_(training.vocoder_complex_loss_weight),
      mel_weight_(training.vocoder_mel_loss_weight),
      adversarial_weight_(training.vocoder_adversarial_weight) {}

std::vector<LossShare> VocoderObjective::losses(data::MicroBatch& batch,
                                                const data::BatchCounts& counts,
                                                const LossSettings& settings,
                                                double& copy_s) const {
  const model::WaveformInputs inputs =
      copy_waveform_inputs(vocoder_.parameters().values().device(), batch, copy_s);
  const torch::Tensor weights = (inputs.mel_lengths > 0).to(torch::kFloat32);
  const torch::Tensor generated = vocoder_.forward(inputs.mel, settings.type);
  const model::WaveformLossSums sums = losses_(generated, inputs.waveform, weights);
  const auto rows = static_cast<double>(std::max<std::int64_t>(counts.utterances, 1));
  std::vector<LossShare> shares = {{"mel", sums.mel, rows, mel_weight_},
                                   {"magnitude", sums.log_magnitude, rows, magnitude_weight_},
                                   {"convergence", sums.convergence, rows, convergence_weight_},
                                   {"complex", sums.complex, rows, complex_weight_}};
  // Validation skips the adversarial parts, which are not in the reported loss.
  if (vocoder_.discriminators() == nullptr || !settings.training) return shares;

  const model::WaveformDiscriminators& discriminators = *vocoder_.discriminators();
  const std::vector<model::DiscriminatorOutput> of_recorded =
      discriminators(inputs.waveform, settings.type);
  const torch::Tensor discriminator_loss = model::discriminator_loss(
      of_recorded, discriminators(generated.detach(), settings.type), weights);
  const std::vector<model::DiscriminatorOutput> of_generated =
      discriminators(generated, settings.type, /*frozen=*/true);
  shares.push_back({"disc", discriminator_loss, rows, 1.0, /*is_adversarial=*/true});
  shares.push_back({"gen",
                    model::generator_loss(of_generated, weights),
                    rows,
                    adversarial_weight_,
                    /*is_adversarial=*/true});
  shares.push_back({"fm",
                    model::feature_matching_loss(of_recorded, of_generated, weights),
                    rows,
                    kFeatureMatchingRatio * adversarial_weight_,
                    /*is_adversarial=*/true});
  return shares;
}

}  // namespace myxtts::step
