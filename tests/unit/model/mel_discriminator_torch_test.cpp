#include "model/mel_discriminator_torch.h"

#include <gtest/gtest.h>

namespace myxtts::model {
namespace {

constexpr std::int64_t kDiscriminatorMels = 16;  // C

config::ModelConfig discriminator_config() {
  config::ModelConfig config;
  config.n_mels = kDiscriminatorMels;
  config.mel_discriminator_channels = 4;
  return config;
}

struct DiscriminatorCase {
  DiscriminatorCase() : discriminator(parameters, discriminator_config()) { parameters.flatten(); }

  AdversarialSums adversarial_sums(const torch::Tensor& recorded,
                                   const torch::Tensor& decoded) const {
    return discriminator.adversarial_sums(
        recorded, decoded, torch::ones({recorded.size(0), recorded.size(1), 1}), torch::kFloat32);
  }
  double gradient() { return parameters.gradients().abs().sum().item<double>(); }

  ParameterSet parameters{3};
  MelDiscriminator discriminator;
};

// Returns a mel [2, 24, C] that depends on the seed.
torch::Tensor some_mel(std::int64_t seed) {
  return torch::sin(torch::arange(2 * 24 * kDiscriminatorMels).to(torch::kFloat32) *
                    (0.37 + 0.11 * static_cast<double>(seed)))
      .view({2, 24, kDiscriminatorMels});
}

TEST(MelDiscriminator, DiscriminatorAndGeneratorLossesHaveSeparateGradients) {
  DiscriminatorCase one;
  const torch::Tensor decoded = some_mel(2).requires_grad_();

  one.adversarial_sums(some_mel(1), decoded).discriminator.backward();
  EXPECT_GT(one.gradient(), 0.0);
  EXPECT_FALSE(decoded.grad().defined());

  one.parameters.gradients().zero_();
  const AdversarialSums sums = one.adversarial_sums(some_mel(1), decoded);
  (sums.generator + sums.feature_matching).backward();
  EXPECT_EQ(one.gradient(), 0.0);
  EXPECT_GT(decoded.grad().abs().sum().item<double>(), 0.0);
}

TEST(MelDiscriminator, FeatureMatchingLossOfIdenticalMelsIsZero) {
  const DiscriminatorCase one;

  const AdversarialSums sums = one.adversarial_sums(some_mel(1), some_mel(1));

  EXPECT_EQ(sums.feature_matching.item<double>(), 0.0);
  EXPECT_GT(one.adversarial_sums(some_mel(1), some_mel(2)).feature_matching.item<double>(), 0.1);
}

TEST(MelDiscriminator, IgnoresFramesOutsideOfTheMask) {
  const DiscriminatorCase one;
  const torch::Tensor mask = torch::ones({2, 24, 1});
  mask[1].narrow(0, 13, 11).zero_();
  const AdversarialSums sums =
      one.discriminator.adversarial_sums(some_mel(1), some_mel(2), mask, torch::kFloat32);

  for (const std::int64_t more : {1, 8, 19}) {
    const auto padded = [&](const torch::Tensor& mel) {
      torch::Tensor longer = at::constant_pad_nd(mel, {0, 0, 0, more}, 0.7);
      longer[1].narrow(0, 13, 11 + more).fill_(-0.4);
      return longer;
    };
    const AdversarialSums same =
        one.discriminator.adversarial_sums(padded(some_mel(1)),
                                           padded(some_mel(2)),
                                           at::constant_pad_nd(mask, {0, 0, 0, more}),
                                           torch::kFloat32);

    EXPECT_NEAR(same.discriminator.item<double>(), sums.discriminator.item<double>(), 1e-2) << more;
    EXPECT_NEAR(same.generator.item<double>(), sums.generator.item<double>(), 1e-2) << more;
    EXPECT_NEAR(same.feature_matching.item<double>(), sums.feature_matching.item<double>(), 1e-4)
        << more;
  }
}

TEST(MelDiscriminator, LossOfABatchIsTheSumOverRows) {
  const DiscriminatorCase one;
  const AdversarialSums both = one.adversarial_sums(some_mel(1), some_mel(2));
  AdversarialSums alone;
  for (const std::int64_t row : {0, 1}) {
    const AdversarialSums sums =
        one.adversarial_sums(some_mel(1).narrow(0, row, 1), some_mel(2).narrow(0, row, 1));
    alone.discriminator = row == 0 ? sums.discriminator : alone.discriminator + sums.discriminator;
    alone.feature_matching =
        row == 0 ? sums.feature_matching : alone.feature_matching + sums.feature_matching;
  }

  EXPECT_NEAR(alone.discriminator.item<double>(), both.discriminator.item<double>(), 1e-2);
  EXPECT_NEAR(alone.feature_matching.item<double>(), both.feature_matching.item<double>(), 1e-4);
}

TEST(MelDiscriminator, LearnsToDetectBlur) {
  DiscriminatorCase one;
  const torch::Tensor sharp = some_mel(1);
  const torch::Tensor blurred = at::avg_pool1d(at::reflection_pad1d(sharp, {1, 1}), {3}, {1});
  const double before = one.adversarial_sums(sharp, blurred).discriminator.item<double>();

  for (int step = 0; step < 200; ++step) {
    one.parameters.gradients().zero_();
    one.adversarial_sums(sharp, blurred).discriminator.backward();
    const torch::NoGradGuard no_grad;
    one.parameters.values().sub_(one.parameters.gradients() * 1e-5);
  }

  EXPECT_LT(one.adversarial_sums(sharp, blurred).discriminator.item<double>(), 0.5 * before);
}

}  // namespace
}  // namespace myxtts::model
