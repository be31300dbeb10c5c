#include "model/waveform_discriminators_torch.h"

#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unit/model/small_model_torch.h"

namespace xtts::model {
namespace {

constexpr std::int64_t kJudgedSamples = 2048;
constexpr DiscriminatorSizes kFewChannels = {.period_channels = 2, .resolution_channels = 2};

// Adam over the flat buffers of a set.
class Learner {
 public:
  Learner(ParameterSet& parameters, double rate)
      : parameters_(parameters),
        rate_(rate),
        mean_(torch::zeros_like(parameters.values())),
        square_(torch::zeros_like(parameters.values())) {}

  void forget() { parameters_.gradients().zero_(); }

  void update() {
    const torch::NoGradGuard no_grad;
    const torch::Tensor& slope = parameters_.gradients();
    ++step_;
    mean_.mul_(0.8).add_(slope, 0.2);
    square_.mul_(0.99).addcmul_(slope, slope, 0.01);
    const torch::Tensor size = (square_ / (1.0 - std::pow(0.99, step_))).sqrt() + 1e-8;
    parameters_.values().addcdiv_(mean_, size, -rate_ / (1.0 - std::pow(0.8, step_)));
  }

 private:
  ParameterSet& parameters_;
  double rate_;
  torch::Tensor mean_, square_;
  int step_ = 0;
};

torch::Tensor all_rows(const torch::Tensor& sound) {
  return torch::ones({sound.size(0)});
}

// Few channels, and parameters of their own.
struct FewJudges {
  explicit FewJudges(std::uint64_t seed) : parameters(seed), judges(parameters, kFewChannels) {
    parameters.flatten();
  }

  ParameterSet parameters;
  WaveformDiscriminators judges;
};

// Tones of several heights.
torch::Tensor tones(std::int64_t rows) {
  const torch::Tensor time = torch::arange(kJudgedSamples, torch::kFloat32);
  const torch::Tensor height = 0.05 + 0.02 * torch::arange(rows, torch::kFloat32).unsqueeze(1);
  return 0.3 * (time * height).sin();
}

// Rows of length 1 to 9 and their windows, beside a convolution with the same weights.
TEST(WindowsOf, AreWhatAConvolutionSees) {
  for (const auto& [kernel, stride] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {1, 1}, {3, 1}, {5, 3}, {5, 5}, {3, 4}, {7, 2}}) {
    const torch::Tensor weight = random_tensor({4, 2, kernel}, 7);
    for (std::int64_t length = 1; length < 10; ++length) {
      const torch::Tensor x = random_tensor({2, 3, length, 2}, static_cast<std::uint64_t>(length));

      const torch::Tensor found =
          at::matmul(windows_of(x, kernel, stride), weight.transpose(1, 2).reshape({4, -1}).t());

      const torch::Tensor wanted =
          at::conv1d(x.reshape({6, length, 2}).transpose(1, 2), weight, {}, stride, kernel / 2)
              .transpose(1, 2);
      ASSERT_EQ(found.size(2), wanted.size(1)) << kernel << " " << stride << " " << length;
      EXPECT_LE(relative_difference(found.reshape(wanted.sizes()), wanted), 1e-6);
    }
  }
}

TEST(WaveformDiscriminators, EachHasAnOpinionOfEveryRow) {
  const FewJudges few(1);
  const WaveformDiscriminators& discriminators = few.judges;
  const torch::Tensor sound = random_tensor({3, kJudgedSamples}, 2);

  const std::vector<DiscriminatorOutput> opinions = discriminators(sound, torch::kFloat32);

  ASSERT_EQ(opinions.size(), 8U);
  for (const DiscriminatorOutput& opinion : opinions) {
    EXPECT_EQ(opinion.scores.size(0), 3);
    EXPECT_EQ(opinion.features.size(), 4U);
    EXPECT_TRUE(opinion.scores.isfinite().all().item<bool>());
  }
  const std::vector<DiscriminatorOutput> half = discriminators(sound, torch::kBFloat16);
  EXPECT_LE(relative_difference(half[0].scores, opinions[0].scores), 0.1);
}

TEST(WaveformDiscriminators, LossesAreTheirFormulasAndEmptyRowsHaveNone) {
  const auto opinion = [](const std::vector<float>& scores, float feature) {
    const auto rows = static_cast<std::int64_t>(scores.size());
    return std::vector<DiscriminatorOutput>{{.scores = torch::tensor(scores).unsqueeze(1),
                                             .features = {torch::full({rows, 3}, feature)}}};
  };
  const std::vector<DiscriminatorOutput> recorded = opinion({0.5F, 2.0F, -9.0F}, 1.0F);
  const std::vector<DiscriminatorOutput> made = opinion({-0.5F, 1.0F, 9.0F}, 3.0F);
  const torch::Tensor weights = torch::tensor({1.0F, 1.0F, 0.0F});

  EXPECT_FLOAT_EQ(discriminator_loss(recorded, made, weights).item<float>(),
                  0.5F + 0.5F + 0.0F + 2.0F);
  EXPECT_FLOAT_EQ(generator_loss(made, weights).item<float>(), 1.5F);
  EXPECT_NEAR(feature_matching_loss(recorded, made, weights).item<double>(), 2.0 + 2.0, 1e-2);
  EXPECT_NEAR(feature_matching_loss(made, recorded, weights).item<double>(), 2 * 2.0 / 3.0, 1e-2);
}

TEST(WaveformDiscriminators, LearnToTellTonesFromNoise) {
  FewJudges few(1);
  const WaveformDiscriminators& discriminators = few.judges;
  Learner learner(few.parameters, 3e-3);
  const torch::Tensor recorded = tones(4);
  const torch::Tensor made = random_tensor({4, kJudgedSamples}, 3) * 0.3;
  double first = 0.0;
  double loss = 0.0;
  for (int step = 0; step < 30; ++step) {
    learner.forget();
    const torch::Tensor telling = discriminator_loss(discriminators(recorded, torch::kFloat32),
                                                     discriminators(made, torch::kFloat32),
                                                     all_rows(made));
    telling.backward();
    learner.update();
    loss = telling.item<double>();
    if (step == 0) first = loss;
  }

  EXPECT_LT(loss, 0.5 * first);
}

TEST(WaveformDiscriminators, FrozenOnesGiveTheSoundAGradientAndHaveNone) {
  FewJudges few(1);
  const torch::Tensor sound = random_tensor({2, kJudgedSamples}, 5).set_requires_grad(true);
  few.parameters.gradients().zero_();

  generator_loss(few.judges(sound, torch::kFloat32, /*frozen=*/true), torch::ones({2})).backward();

  EXPECT_GT(sound.grad().abs().max().item<double>(), 0.0);
  EXPECT_EQ(few.parameters.gradients().abs().max().item<double>(), 0.0);
}

}  // namespace
}  // namespace xtts::model
