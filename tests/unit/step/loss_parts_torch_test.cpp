#include "step/loss_parts_torch.h"

#include <cmath>

#include <gtest/gtest.h>

namespace myxtts::step {
namespace {

torch::Tensor number(double value) {
  return torch::tensor(value, torch::kFloat32);
}

TEST(LossParts, DividesEachSumByTheCountsOfTheBatch) {
  const data::BatchCounts counts{
      .utterances = 2, .symbols = 10, .frames = 50, .decoder_frames = 25};
  config::TrainingConfig training;
  training.mel_loss_weight = 1.0;
  training.prior_loss_weight = 0.5;
  training.duration_loss_weight = 0.1;
  training.energy_loss_weight = 2.0;
  const LossWeights weights = loss_weights_of(training);
  model::LossSums sums;
  sums.mel = number(400.0);
  sums.prior = number(1600.0);
  sums.duration = number(30.0);

  // 400 / (25 * 8) + 0.5 * 1600 / (50 * 8) + 0.1 * 30 / 10
  EXPECT_NEAR(loss_of(shares_of(sums, counts, 8, weights)).item<double>(), 2.0 + 2.0 + 0.3, 1e-6);
  sums.energy = number(5.0);
  EXPECT_NEAR(loss_of(shares_of(sums, counts, 8, weights)).item<double>(), 4.3 + 2.0 * 0.5, 1e-6);
  EXPECT_TRUE(
      std::isfinite(loss_of(shares_of(sums, {}, 8, weights)).item<double>()));  // an empty batch
}

// The discriminator loss has the fixed weight 0.1. None of the three parts is in the reported loss.
TEST(LossParts, AdversarialPartsAreOptimisedAndNotReported) {
  const data::BatchCounts counts{
      .utterances = 2, .symbols = 10, .frames = 50, .decoder_frames = 25};
  config::TrainingConfig training;
  training.adversarial_loss_weight = 0.5;
  training.feature_matching_loss_weight = 3.0;
  model::LossSums sums;
  sums.mel = number(400.0);
  sums.discriminator = number(100.0);
  sums.generator = number(200.0);
  sums.feature_matching = number(4.0);

  const std::vector<LossShare> shares = shares_of(sums, counts, 8, loss_weights_of(training));

  // 100 / (25 * 8), 200 / (25 * 8), 4 / 2
  EXPECT_NEAR(loss_of(shares).item<double>(), 2.0 + 0.1 * 0.5 + 0.5 * 1.0 + 3.0 * 2.0, 1e-6);
  EXPECT_NEAR(reported_loss_of(shares).item<double>(), 2.0, 1e-6);
}

}  // namespace
}  // namespace myxtts::step
