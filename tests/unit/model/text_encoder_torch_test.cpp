#include "model/text_encoder_torch.h"

#include <gtest/gtest.h>

#include "unit/model/small_model_torch.h"

namespace myxtts::model {
namespace {

class TextEncoderTest : public testing::Test {
 protected:
  TextEncoderTest() {
    parameters_.flatten();
    add_noise(parameters_, 0.2, 2);
  }

  torch::Tensor states(const torch::Tensor& text, double dropout = 0.0) const {
    return encoder_(text, mask_, speaker_, dropout);
  }

  ParameterSet parameters_{1};
  TextEncoder encoder_{parameters_, small_config(), kNumSymbols};
  torch::Tensor text_ =
      torch::tensor({{1, 2, 3, 4, 5, 0, 0}, {6, 7, 8, 9, 1, 2, 3}}, torch::kInt64);
  torch::Tensor mask_ = length_mask(torch::tensor({5, 7}, torch::kInt64), 7, torch::kFloat32);
  torch::Tensor speaker_ = random_tensor({2, small_config().speaker_embedding_dim}, 3);
};

TEST_F(TextEncoderTest, StatesDependOnAllSymbolsOfTheirRowOnly) {
  torch::Tensor changed = text_.clone();
  changed[1][6] = 11;

  const torch::Tensor change = (states(changed) - states(text_)).abs().sum(-1);

  EXPECT_EQ(change[0].max().item<double>(), 0.0);
  EXPECT_GT(change[1].min().item<double>(), 0.0);
}

TEST_F(TextEncoderTest, IgnoresPadding) {
  torch::Tensor changed = text_.clone();
  changed[0][5] = 7;
  changed[0][6] = 9;

  EXPECT_TRUE(same_bits(states(changed), states(text_)));
  EXPECT_EQ(states(text_)[0].narrow(0, 5, 2).abs().max().item<double>(), 0.0);
}

TEST_F(TextEncoderTest, DependsOnTheSpeakerEmbedding) {
  const torch::Tensor other = encoder_(text_, mask_, speaker_ + 1.0, 0.0);

  EXPECT_GT(relative_difference(other, states(text_)), 1e-2);
}

TEST_F(TextEncoderTest, DropoutFollowsTheSeed) {
  const auto with_seed = [&](std::uint64_t seed) {
    at::manual_seed(seed);
    return states(text_, 0.5);
  };

  const torch::Tensor one = with_seed(1);
  EXPECT_TRUE(same_bits(with_seed(1), one));
  EXPECT_GT(relative_difference(with_seed(2), one), 1e-2);
}

}  // namespace
}  // namespace myxtts::model
