#include "step/loss_parts_torch.h"

#include <algorithm>

namespace myxtts::step {
namespace {

using Counts = data::BatchCounts;

template <std::int64_t Counts::*Count>
double at_least_one(const Counts& counts) {
  return static_cast<double>(std::max<std::int64_t>(counts.*Count, 1));
}

constexpr auto* kDecoderFrames = at_least_one<&Counts::decoder_frames>;
constexpr auto* kFrames = at_least_one<&Counts::frames>;
constexpr auto* kSymbols = at_least_one<&Counts::symbols>;
constexpr auto* kUtterances = at_least_one<&Counts::utterances>;

// Weight of the mel discriminator's loss. Adam steps do not depend on it; a small weight keeps the
// gradient of the discriminator from dominating the clipped norm.
constexpr double kDiscriminatorWeight = 0.1;

}  // namespace

const std::array<LossPart, kNumLossParts>& loss_parts() {
  using Sums = model::LossSums;
  using Training = const config::TrainingConfig&;
  static const std::array<LossPart, kNumLossParts> parts = {{
      {"mel",
       &Sums::mel,
       [](Training training) { return training.mel_loss_weight; },
       kDecoderFrames,
       true},
      {"prior",
       &Sums::prior,
       [](Training training) { return training.prior_loss_weight; },
       kFrames,
       true},
      {"duration",
       &Sums::duration,
       [](Training training) { return training.duration_loss_weight; },
       kSymbols,
       false},
      {"energy",
       &Sums::energy,
       [](Training training) { return training.energy_loss_weight; },
       kSymbols,
       false},
      {"disc",
       &Sums::discriminator,
       [](Training) { return kDiscriminatorWeight; },
       kDecoderFrames,
       true,
       true},
      {"gen",
       &Sums::generator,
       [](Training training) { return training.adversarial_loss_weight; },
       kDecoderFrames,
       true,
       true},
      {"fm",
       &Sums::feature_matching,
       [](Training training) { return training.feature_matching_loss_weight; },
       kUtterances,
       false,
       true},
  }};
  return parts;
}

double divisor_of(const LossPart& part, const Counts& counts, std::int64_t n_mels) {
  return part.count(counts) * (part.per_channel ? static_cast<double>(n_mels) : 1.0);
}

LossWeights loss_weights_of(const config::TrainingConfig& training) {
  LossWeights weights{};
  for (std::size_t i = 0; i < kNumLossParts; ++i)
    weights[i] = loss_parts()[i].weight(training);
  return weights;
}

std::vector<LossShare> shares_of(const model::LossSums& sums,
                                 const Counts& counts,
                                 std::int64_t n_mels,
                                 const LossWeights& weights) {
  std::vector<LossShare> shares;
  for (std::size_t i = 0; i < kNumLossParts; ++i) {
    const LossPart& part = loss_parts()[i];
    const torch::Tensor& sum = sums.*part.sum;
    if (sum.defined())
      shares.push_back(
          {part.name, sum, divisor_of(part, counts, n_mels), weights[i], part.is_adversarial});
  }
  return shares;
}

}  // namespace myxtts::step
