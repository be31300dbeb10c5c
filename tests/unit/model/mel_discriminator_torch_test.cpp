#include "model/mel_discriminator_torch.h"

#include <gtest/gtest.h>

namespace xtts::model {
namespace {

constexpr std::int64_t kCriticChannels = 16;  // C

config::ModelConfig critic_config() {
  config::ModelConfig config;
  config.n_mels = kCriticChannels;
  config.mel_discriminator_channels = 4;
  return config;
}

struct CriticCase {
  CriticCase() : critic(parameters, critic_config()) { parameters.flatten(); }

  AdversarialSums contest(const torch::Tensor& recorded, const torch::Tensor& decoded) const {
    return critic.contest(
        recorded, decoded, torch::ones({recorded.size(0), recorded.size(1), 1}), torch::kFloat32);
  }
  double gradient() { return parameters.gradients().abs().sum().item<double>(); }

  ParameterSet parameters{3};
  MelDiscriminator critic;
};

// [2, 24, C], other numbers for another seed.
torch::Tensor some_mel(std::int64_t seed) {
  return torch::sin(torch::arange(2 * 24 * kCriticChannels).to(torch::kFloat32) *
                    (0.37 + 0.11 * static_cast<double>(seed)))
      .view({2, 24, kCriticChannels});
}

TEST(MelDiscriminator, LearnsFromItsMistakesAndTheDecoderFromWhatItIsTold) {
  CriticCase one;
  const torch::Tensor decoded = some_mel(2).requires_grad_();

  one.contest(some_mel(1), decoded).telling.backward();
  EXPECT_GT(one.gradient(), 0.0);
  EXPECT_FALSE(decoded.grad().defined());

  one.parameters.gradients().zero_();
  const AdversarialSums sums = one.contest(some_mel(1), decoded);
  (sums.fooling + sums.features).backward();
  EXPECT_EQ(one.gradient(), 0.0);
  EXPECT_GT(decoded.grad().abs().sum().item<double>(), 0.0);
}

TEST(MelDiscriminator, FindsNoDifferenceBetweenAMelAndItself) {
  const CriticCase one;

  const AdversarialSums sums = one.contest(some_mel(1), some_mel(1));

  EXPECT_EQ(sums.features.item<double>(), 0.0);
  EXPECT_GT(one.contest(some_mel(1), some_mel(2)).features.item<double>(), 0.1);
}

TEST(MelDiscriminator, IsNotMovedByWhatLiesOutsideOfARow) {
  const CriticCase one;
  const torch::Tensor mask = torch::ones({2, 24, 1});
  mask[1].narrow(0, 13, 11).zero_();
  const AdversarialSums sums = one.critic.contest(some_mel(1), some_mel(2), mask, torch::kFloat32);

  for (const std::int64_t more : {1, 8, 19}) {
    const auto padded = [&](const torch::Tensor& mel) {
      torch::Tensor longer = at::constant_pad_nd(mel, {0, 0, 0, more}, 0.7);
      longer[1].narrow(0, 13, 11 + more).fill_(-0.4);
      return longer;
    };
    const AdversarialSums same = one.critic.contest(padded(some_mel(1)),
                                                    padded(some_mel(2)),
                                                    at::constant_pad_nd(mask, {0, 0, 0, more}),
                                                    torch::kFloat32);

    EXPECT_NEAR(same.telling.item<double>(), sums.telling.item<double>(), 1e-2) << more;
    EXPECT_NEAR(same.fooling.item<double>(), sums.fooling.item<double>(), 1e-2) << more;
    EXPECT_NEAR(same.features.item<double>(), sums.features.item<double>(), 1e-4) << more;
  }
}

TEST(MelDiscriminator, OfTwoRowsIsTheSumOfEach) {
  const CriticCase one;
  const AdversarialSums both = one.contest(some_mel(1), some_mel(2));
  AdversarialSums alone;
  for (const std::int64_t row : {0, 1}) {
    const AdversarialSums sums =
        one.contest(some_mel(1).narrow(0, row, 1), some_mel(2).narrow(0, row, 1));
    alone.telling = row == 0 ? sums.telling : alone.telling + sums.telling;
    alone.features = row == 0 ? sums.features : alone.features + sums.features;
  }

  EXPECT_NEAR(alone.telling.item<double>(), both.telling.item<double>(), 1e-2);
  EXPECT_NEAR(alone.features.item<double>(), both.features.item<double>(), 1e-4);
}

TEST(MelDiscriminator, LearnsToTellABlurFromWhatWasBlurred) {
  CriticCase one;
  const torch::Tensor sharp = some_mel(1);
  const torch::Tensor blurred = at::avg_pool1d(at::reflection_pad1d(sharp, {1, 1}), {3}, {1});
  const double before = one.contest(sharp, blurred).telling.item<double>();

  for (int step = 0; step < 200; ++step) {
    one.parameters.gradients().zero_();
    one.contest(sharp, blurred).telling.backward();
    const torch::NoGradGuard no_grad;
    one.parameters.values().sub_(one.parameters.gradients() * 1e-5);
  }

  EXPECT_LT(one.contest(sharp, blurred).telling.item<double>(), 0.5 * before);
}

}  // namespace
}  // namespace xtts::model
