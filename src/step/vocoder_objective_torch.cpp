#include "step/vocoder_objective_torch.h"

#include <algorithm>

#include "model/inputs_torch.h"
#include "step/copy_time.h"

namespace xtts::step {
namespace {

// A layer that sees a difference says where it is; a score only says that there is one.
constexpr double kFeaturesBesideFooling = 10.0;

model::WaveformInputs sound_brought_to(const torch::Device& device,
                                       pipeline::MicroBatch& batch,
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

std::vector<LossShare> VocoderObjective::losses(pipeline::MicroBatch& batch,
                                                const pipeline::BatchCounts& counts,
                                                const LossSettings& settings,
                                                double& copy_s) const {
  const model::WaveformInputs inputs =
      sound_brought_to(vocoder_.parameters().values().device(), batch, copy_s);
  const torch::Tensor weights = (inputs.mel_lengths > 0).to(torch::kFloat32);
  const torch::Tensor made = vocoder_.forward(inputs.mel, settings.type);
  const model::WaveformLossSums sums = losses_(made, inputs.sound, weights);
  const auto rows = static_cast<double>(std::max<std::int64_t>(counts.utterances, 1));
  std::vector<LossShare> shares = {{"mel", sums.mel, rows, mel_weight_},
                                   {"magnitude", sums.log_magnitude, rows, magnitude_weight_},
                                   {"convergence", sums.convergence, rows, convergence_weight_},
                                   {"complex", sums.complex, rows, complex_weight_}};
  // A validation has no use for the contest, which is no part of the loss that it reports.
  if (vocoder_.discriminators() == nullptr || !settings.training) return shares;

  const model::WaveformDiscriminators& judges = *vocoder_.discriminators();
  const std::vector<model::DiscriminatorOutput> of_recorded = judges(inputs.sound, settings.type);
  const torch::Tensor telling =
      model::discriminator_loss(of_recorded, judges(made.detach(), settings.type), weights);
  const std::vector<model::DiscriminatorOutput> of_made =
      judges(made, settings.type, /*frozen=*/true);
  shares.push_back({"telling", telling, rows, 1.0, /*is_contest=*/true});
  shares.push_back({"fooling",
                    model::generator_loss(of_made, weights),
                    rows,
                    adversarial_weight_,
                    /*is_contest=*/true});
  shares.push_back({"features",
                    model::feature_matching_loss(of_recorded, of_made, weights),
                    rows,
                    kFeaturesBesideFooling * adversarial_weight_,
                    /*is_contest=*/true});
  return shares;
}

}  // namespace xtts::step
