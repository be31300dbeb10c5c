#include "model/waveform_discriminators_torch.h"

#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unit/model/small_model_torch.h"

namespace myxtts::model {
namespace {

constexpr std::int64_t kWaveformSamples = 2048;
constexpr DiscriminatorSizes kFewChannels = {.period_channels = 2, .resolution_channels = 2};

// Adam over the flat buffers of a parameter set.
class Adam {
 public:
  Adam(ParameterSet& parameters, double rate)
      : parameters_(parameters),
        rate_(rate),
        mean_(torch::zeros_like(parameters.values())),
        square_(torch::zeros_like(parameters.values())) {}

  void zero_gradients() { parameters_.gradients().zero_(); }

  void step() {
    const torch::NoGradGuard no_grad;
    const torch::Tensor& gradient = parameters_.gradients();
    ++step_;
    mean_.mul_(0.8).add_(gradient, 0.2);
    square_.mul_(0.99).addcmul_(gradient, gradient, 0.01);
    const torch::Tensor size = (square_ / (1.0 - std::pow(0.99, step_))).sqrt() + 1e-8;
    parameters_.values().addcdiv_(mean_, size, -rate_ / (1.0 - std::pow(0.8, step_)));
  }

 private:
  ParameterSet& parameters_;
  double rate_;
  torch::Tensor mean_, square_;
  int step_ = 0;
};

torch::Tensor all_rows(const torch::Tensor& waveform) {
  return torch::ones({waveform.size(0)});
}

// Discriminators with few channels and their parameters.
struct SmallDiscriminators {
  explicit SmallDiscriminators(std::uint64_t seed)
      : parameters(seed), discriminators(parameters, kFewChannels) {
    parameters.flatten();
  }

  ParameterSet parameters;
  WaveformDiscriminators discriminators;
};

// Returns tones of several frequencies.
torch::Tensor tones(std::int64_t rows) {
  const torch::Tensor time = torch::arange(kWaveformSamples, torch::kFloat32);
  const torch::Tensor frequency = 0.05 + 0.02 * torch::arange(rows, torch::kFloat32).unsqueeze(1);
  return 0.3 * (time * frequency).sin();
}

// Compares windows of rows of length 1 to 9 with a convolution with the same weights.
TEST(WindowsOf, EqualTheWindowsOfAConvolution) {
  for (const auto& [kernel, stride] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {1, 1}, {3, 1}, {5, 3}, {5, 5}, {3, 4}, {7, 2}}) {
    const torch::Tensor weight = random_tensor({4, 2, kernel}, 7);
    for (std::int64_t length = 1; length < 10; ++length) {
      const torch::Tensor x = random_tensor({2, 3, length, 2}, static_cast<std::uint64_t>(length));

      const torch::Tensor found =
          at::matmul(windows_of(x, kernel, stride), weight.transpose(1, 2).reshape({4, -1}).t());

      const torch::Tensor expected =
          at::conv1d(x.reshape({6, length, 2}).transpose(1, 2), weight, {}, stride, kernel / 2)
              .transpose(1, 2);
      ASSERT_EQ(found.size(2), expected.size(1)) << kernel << " " << stride << " " << length;
      EXPECT_LE(relative_difference(found.reshape(expected.sizes()), expected), 1e-6);
    }
  }
}

TEST(WaveformDiscriminators, EachOutputsScoresForEveryRow) {
  const SmallDiscriminators small(1);
  const WaveformDiscriminators& discriminators = small.discriminators;
  const torch::Tensor waveform = random_tensor({3, kWaveformSamples}, 2);

  const std::vector<DiscriminatorOutput> outputs = discriminators(waveform, torch::kFloat32);

  ASSERT_EQ(outputs.size(), 8U);
  for (const DiscriminatorOutput& output : outputs) {
    EXPECT_EQ(output.scores.size(0), 3);
    EXPECT_EQ(output.features.size(), 4U);
    EXPECT_TRUE(output.scores.isfinite().all().item<bool>());
  }
  const std::vector<DiscriminatorOutput> half = discriminators(waveform, torch::kBFloat16);
  EXPECT_LE(relative_difference(half[0].scores, outputs[0].scores), 0.1);
}

TEST(WaveformDiscriminators, LossesMatchTheirFormulasAndIgnoreEmptyRows) {
  const auto output = [](const std::vector<float>& scores, float feature) {
    const auto rows = static_cast<std::int64_t>(scores.size());
    return std::vector<DiscriminatorOutput>{{.scores = torch::tensor(scores).unsqueeze(1),
                                             .features = {torch::full({rows, 3}, feature)}}};
  };
  const std::vector<DiscriminatorOutput> recorded = output({0.5F, 2.0F, -9.0F}, 1.0F);
  const std::vector<DiscriminatorOutput> generated = output({-0.5F, 1.0F, 9.0F}, 3.0F);
  const torch::Tensor weights = torch::tensor({1.0F, 1.0F, 0.0F});

  EXPECT_FLOAT_EQ(discriminator_loss(recorded, generated, weights).item<float>(),
                  0.5F + 0.5F + 0.0F + 2.0F);
  EXPECT_FLOAT_EQ(generator_loss(generated, weights).item<float>(), 1.5F);
  EXPECT_NEAR(feature_matching_loss(recorded, generated, weights).item<double>(), 2.0 + 2.0, 1e-2);
  EXPECT_NEAR(
      feature_matching_loss(generated, recorded, weights).item<double>(), 2 * 2.0 / 3.0, 1e-2);
}

TEST(WaveformDiscriminators, LearnToDistinguishTonesFromNoise) {
  SmallDiscriminators small(1);
  const WaveformDiscriminators& discriminators = small.discriminators;
  Adam optimizer(small.parameters, 3e-3);
  const torch::Tensor recorded = tones(4);
  const torch::Tensor generated = random_tensor({4, kWaveformSamples}, 3) * 0.3;
  double first = 0.0;
  double last = 0.0;
  for (int step = 0; step < 30; ++step) {
    optimizer.zero_gradients();
    const torch::Tensor loss = discriminator_loss(discriminators(recorded, torch::kFloat32),
                                                  discriminators(generated, torch::kFloat32),
                                                  all_rows(generated));
    loss.backward();
    optimizer.step();
    last = loss.item<double>();
    if (step == 0) first = last;
  }

  EXPECT_LT(last, 0.5 * first);
}

TEST(WaveformDiscriminators, FrozenOnesOnlyPassAGradientToTheWaveform) {
  SmallDiscriminators small(1);
  const torch::Tensor waveform = random_tensor({2, kWaveformSamples}, 5).set_requires_grad(true);
  small.parameters.gradients().zero_();

  generator_loss(small.discriminators(waveform, torch::kFloat32, /*frozen=*/true), torch::ones({2}))
      .backward();

  EXPECT_GT(waveform.grad().abs().max().item<double>(), 0.0);
  EXPECT_EQ(small.parameters.gradients().abs().max().item<double>(), 0.0);
}

}  // namespace
}  // namespace myxtts::model
