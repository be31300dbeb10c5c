#include "model/decoder_torch.h"

#include <numbers>
#include <vector>

#include <gtest/gtest.h>
#include <torch/optim/adam.h>

#include "unit/model/small_model_torch.h"

namespace myxtts::model {
namespace {

constexpr std::int64_t kRows = 32;
constexpr std::int64_t kFrames = 6;

config::ModelConfig config_of(const std::string& kind) {
  config::ModelConfig config = small_config();
  config.decoder = kind;
  config.decoder_steps = 4;
  return config;
}

// Returns two symbols of three frames each, the same in all rows.
Frames same_frames(const config::ModelConfig& config) {
  const Symbols symbols{
      .states = random_tensor({1, 2, config.text_encoder_dim}, 1).expand({kRows, -1, -1}),
      .means = torch::zeros({kRows, 2, config.n_mels}),
      .durations = torch::full({kRows, 2}, 3, torch::kInt64)};
  return frames_of(symbols, torch::zeros({kRows}, torch::kInt64), torch::ones({kRows, kFrames, 1}));
}

class DecoderTest : public testing::Test {
 protected:
  explicit DecoderTest(const std::string& kind = "flow")
      : config_(config_of(kind)), parameters_(5), decoder_(parameters_, config_) {
    parameters_.flatten();
  }

  torch::Tensor speaker() const { return torch::zeros({kRows, config_.speaker_embedding_dim}); }
  // Uniform noise with standard deviation 1.
  torch::Tensor noise(std::uint64_t seed) const {
    return random_tensor({kRows, kFrames, config_.n_mels}, seed) * std::numbers::sqrt3;
  }

  // Recordings with two modes: half of them are -1, the others 1.
  torch::Tensor two_modes() const {
    torch::Tensor recorded = torch::ones({kRows, kFrames, config_.n_mels});
    recorded.narrow(0, 0, kRows / 2).neg_();
    return recorded;
  }

  void learn(const torch::Tensor& recorded, int num_steps) {
    torch::optim::Adam optimizer(parameters_.tensors(), torch::optim::AdamOptions(1e-2));
    for (int step = 0; step < num_steps; ++step) {
      parameters_.gradients().zero_();
      (decoder_.predict(frames_, speaker(), recorded, /*training=*/true) - recorded)
          .abs()
          .mean()
          .backward();
      optimizer.step();
    }
  }

  config::ModelConfig config_;
  ParameterSet parameters_;
  Decoder decoder_;
  Frames frames_ = same_frames(config_);
};

class RegressionTest : public DecoderTest {
 protected:
  RegressionTest() : DecoderTest("regression") {}
};

TEST_F(RegressionTest, InferenceEqualsPrediction) {
  add_noise(parameters_, 0.1, 3);
  const torch::Tensor predicted = decoder_.predict(frames_, speaker(), two_modes(), true);
  EXPECT_TRUE(decoder_.infer(frames_, speaker(), {}).equal(predicted));
}

TEST_F(DecoderTest, FlowSamplesOneModeAndNotTheMean) {
  torch::manual_seed(3);
  learn(two_modes(), 300);
  const torch::NoGradGuard no_grad;
  const torch::Tensor inferred = decoder_.infer(frames_, speaker(), noise(7));
  const torch::Tensor rows = inferred.mean({1, 2});
  EXPECT_GT((rows.abs() > 0.7).sum().item<std::int64_t>(), kRows * 3 / 4) << rows;
  EXPECT_GT(rows.max().item<double>(), 0.7);
  EXPECT_LT(rows.min().item<double>(), -0.7);
}

// Two thirds of the recordings are 1, and so is the median.
TEST_F(RegressionTest, PredictsTheMedianWhateverTheNoise) {
  torch::Tensor recorded = two_modes();
  recorded.narrow(0, 0, kRows / 3).fill_(1.0);
  learn(recorded, 200);
  const torch::NoGradGuard no_grad;
  const torch::Tensor inferred = decoder_.infer(frames_, speaker(), noise(7));
  EXPECT_TRUE(decoder_.infer(frames_, speaker(), noise(8)).equal(inferred));
  EXPECT_GT(inferred.mean({1, 2}).min().item<double>(), 0.5);
}

TEST_F(DecoderTest, FlowInferenceDependsOnTheNoise) {
  add_noise(parameters_, 0.1, 3);
  const torch::NoGradGuard no_grad;
  const torch::Tensor inferred = decoder_.infer(frames_, speaker(), noise(7));
  EXPECT_TRUE(decoder_.infer(frames_, speaker(), noise(7)).equal(inferred));
  EXPECT_GT((decoder_.infer(frames_, speaker(), noise(8)) - inferred).abs().max().item<double>(),
            1e-3);
}

TEST_F(DecoderTest, PredictionIsDeterministicOutsideOfTraining) {
  add_noise(parameters_, 0.1, 3);
  const torch::NoGradGuard no_grad;
  const torch::Tensor first = decoder_.predict(frames_, speaker(), two_modes(), false);
  EXPECT_TRUE(decoder_.predict(frames_, speaker(), two_modes(), false).equal(first));
  EXPECT_TRUE(decoder_.predict(frames_, speaker(), -two_modes(), false).equal(first))
      << "depends on the recording";
  EXPECT_FALSE(decoder_.predict(frames_, speaker(), two_modes(), true).equal(first));
}

TEST(FramesOf, IncludesPositionInTheSymbolAndDuration) {
  const Symbols symbols{.states = torch::zeros({1, 2, 4}),
                        .means = torch::tensor({{{1.0F}, {2.0F}}}),
                        .durations = torch::tensor({{2, 3}}, torch::kInt64)};
  const Frames frames =
      frames_of(symbols, torch::tensor({1}, torch::kInt64), torch::ones({1, 4, 1}));
  const torch::Tensor position = frames.features.select(2, 5).squeeze(0);
  const torch::Tensor length = frames.features.select(2, 6).squeeze(0).exp();
  EXPECT_TRUE(torch::allclose(frames.means.flatten(), torch::tensor({1.0F, 2.0F, 2.0F, 2.0F})));
  EXPECT_TRUE(torch::allclose(position, torch::tensor({0.75F, 1 / 6.0F, 0.5F, 5 / 6.0F})));
  EXPECT_TRUE(torch::allclose(length, torch::tensor({2.0F, 3.0F, 3.0F, 3.0F})));
}

}  // namespace
}  // namespace myxtts::model
