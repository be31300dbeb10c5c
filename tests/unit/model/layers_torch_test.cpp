#include "model/layers_torch.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "unit/model/small_model_torch.h"

namespace myxtts::model {
namespace {

constexpr std::int64_t kLayerWidth = 12;
constexpr std::int64_t kSpeakerWidth = 5;

// Returns a mask [1, L, 1] with ones from `first` to `last`.
torch::Tensor mask_between(std::int64_t first, std::int64_t last, std::int64_t length) {
  torch::Tensor mask = torch::zeros({1, length, 1});
  mask.narrow(1, first, last - first).fill_(1.0);
  return mask;
}

TEST(Linear, CachedBf16WeightsGiveIdenticalResults) {
  ParameterSet parameters(1);
  const Linear linear(parameters, "linear", 6, 4);
  parameters.flatten();
  const torch::NoGradGuard no_grad;
  const torch::Tensor x = random_tensor({2, 3, 6}, 2).to(torch::kBFloat16);
  const torch::Tensor residual = random_tensor({2, 3, 4}, 3).to(torch::kBFloat16);
  const torch::Tensor mask = torch::ones({1, 1, 1}, torch::kBFloat16);
  const auto outputs = [&] {
    return std::vector<torch::Tensor>{
        linear(x), linear.gelu(x), linear.add_to(residual, x, mask), linear.frozen()(x)};
  };
  const std::vector<torch::Tensor> uncached = outputs();

  parameters.cache_bf16_weights();
  parameters.values().slice(0, 0, 24).zero_();  // the float32 weight is no longer read

  const std::vector<torch::Tensor> cached = outputs();
  for (std::size_t i = 0; i < cached.size(); ++i)
    EXPECT_TRUE(same_bits(cached[i], uncached[i])) << i;
  EXPECT_FALSE(same_bits(linear(x.to(torch::kFloat32)), uncached[0].to(torch::kFloat32)));
}

TEST(RotaryEmbedding, ScoresDependOnTheDistanceOnly) {
  const torch::Tensor one = random_tensor({1, 1, 1, 8}, 1);
  const torch::Tensor other = random_tensor({1, 1, 1, 8}, 2);
  const torch::Tensor queries = apply_rotary_embedding(one.expand({1, 1, 30, 8}))[0][0];
  const torch::Tensor keys = apply_rotary_embedding(other.expand({1, 1, 30, 8}))[0][0];
  const torch::Tensor scores = at::matmul(queries, keys.t());  // [30, 30]

  for (std::int64_t distance = 0; distance < 10; ++distance) {
    const torch::Tensor same = scores.diagonal(distance);
    EXPECT_LE((same - same[0]).abs().max().item<double>(), 1e-5) << distance;
  }
  EXPECT_GT((scores[0][0] - scores[0][3]).abs().item<double>(), 1e-2);
  EXPECT_GT((scores[0][3] - scores[3][0]).abs().item<double>(),
            1e-2);  // depends on the sign of the distance
}

TEST(RotaryEmbedding, KeepsTheNormAndTheFirstPosition) {
  const torch::Tensor x = random_tensor({2, 3, 11, 8}, 3);
  const torch::Tensor rotated = apply_rotary_embedding(x);

  EXPECT_TRUE(same_bits(rotated.select(2, 0), x.select(2, 0)));
  EXPECT_LE((rotated.square().sum(-1) - x.square().sum(-1)).abs().max().item<double>(), 1e-5);
  // The first pair (0, 4) is rotated by one radian per position.
  const double angle = 7.0;
  const double expected = x[0][0][7][0].item<double>() * std::cos(angle) -
                          x[0][0][7][4].item<double>() * std::sin(angle);
  EXPECT_NEAR(rotated[0][0][7][0].item<double>(), expected, 1e-5);
}

TEST(LengthMask, IsOneBelowTheLength) {
  const torch::Tensor mask =
      length_mask(torch::tensor({0, 2, 3, -4}, torch::kInt64), 3, torch::kBFloat16);

  EXPECT_EQ(mask.scalar_type(), torch::kBFloat16);
  EXPECT_TRUE(
      mask.to(torch::kInt64)
          .squeeze(-1)
          .equal(torch::tensor({{0, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 0, 0}}, torch::kInt64)));
}

TEST(Convolution3, EqualsConv1dOfLibTorch) {
  ParameterSet parameters(1);
  const Convolution3 convolution(parameters, "c", 4, 6);
  parameters.flatten();
  add_noise(parameters, 0.5, 2);

  for (const std::int64_t length : {1, 2, 9}) {
    const torch::Tensor x = random_tensor({2, length, 4}, 3);
    const torch::Tensor weight = convolution.linear.weight.view({6, 3, 4}).transpose(1, 2);
    const torch::Tensor expected = at::conv1d(x.transpose(1, 2),
                                              weight,
                                              convolution.linear.bias,
                                              torch::IntArrayRef{1},
                                              torch::IntArrayRef{1})
                                       .transpose(1, 2);
    EXPECT_LE(relative_difference(convolution.gelu(x), at::gelu(expected, "tanh")), 1e-6) << length;
  }
}

TEST(WithNeighbours, ConcatenatesNeighboursInOrder) {
  for (const torch::ScalarType type : {torch::kFloat32, torch::kBFloat16}) {
    const torch::Tensor x = random_tensor({2, 5, 3}, 1).to(type);

    const torch::Tensor found = with_neighbours(x, 2);

    ASSERT_EQ(found.sizes(), torch::IntArrayRef({2, 5, 15}));
    EXPECT_TRUE(found.is_contiguous());
    for (std::int64_t at = 0; at < 5; ++at) {
      for (std::int64_t i = 0; i < 5; ++i) {
        const std::int64_t from = at + i - 2;
        const torch::Tensor expected =
            from < 0 || from >= 5 ? torch::zeros({2, 3}, type) : x.select(1, from);
        EXPECT_TRUE(found.select(1, at).narrow(1, 3 * i, 3).equal(expected)) << at << " " << i;
      }
    }
  }
}

TEST(SpeakerFilm, StartsAsTheIdentityAndThenScalesAndShifts) {
  ParameterSet parameters(1);
  const SpeakerFilm film(parameters, "v", kSpeakerWidth, kLayerWidth);
  parameters.flatten();
  const torch::Tensor x = random_tensor({2, 7, kLayerWidth}, 2);
  const torch::Tensor speaker = random_tensor({2, kSpeakerWidth}, 3);
  EXPECT_TRUE(same_bits(film(x, speaker), x));

  add_noise(parameters, 1.0, 4);
  const torch::Tensor both = film.both(speaker);  // [2, 2 D]
  const torch::Tensor expected = x * (1.0 + both.narrow(1, 0, kLayerWidth).unsqueeze(1)) +
                                 both.narrow(1, kLayerWidth, kLayerWidth).unsqueeze(1);
  EXPECT_LE(relative_difference(film(x, speaker), expected), 1e-6);
}

TEST(ConvNextBlock, DependsOnThreePositionsOnEachSideAndTheSpeaker) {
  ParameterSet parameters(1);
  const ConvNextBlock block(parameters, "b", kLayerWidth, 16, kSpeakerWidth);
  parameters.flatten();
  add_noise(parameters, 0.3, 2);
  const torch::Tensor mask = mask_between(0, 9, 12);
  const torch::Tensor x = random_tensor({1, 12, kLayerWidth}, 3) * mask;
  const torch::Tensor speaker = random_tensor({1, kSpeakerWidth}, 4);
  const torch::Tensor y = block(x, mask, speaker);

  torch::Tensor changed = x.clone();
  changed[0][4] += 1.0;
  const torch::Tensor change = (block(changed, mask, speaker) - y).abs().sum(-1)[0];
  for (std::int64_t l = 0; l < 12; ++l)
    EXPECT_EQ(change[l].item<double>() > 0.0, l >= 1 && l <= 7) << l;
  EXPECT_EQ(y.narrow(1, 9, 3).abs().max().item<double>(), 0.0);
  EXPECT_GT(relative_difference(block(x, mask, speaker + 1.0), y), 1e-3);
}

class AttentionBlockTest : public testing::Test {
 protected:
  AttentionBlockTest() {
    parameters_.flatten();
    add_noise(parameters_, 0.3, 2);
  }

  ParameterSet parameters_{1};
  AttentionBlock block_{parameters_, "a", kLayerWidth, 2, 16, kSpeakerWidth};
  torch::Tensor speaker_ = random_tensor({1, kSpeakerWidth}, 3);
};

TEST_F(AttentionBlockTest, AttentionEqualsThatOfLibTorchOverValidSymbols) {
  const torch::NoGradGuard no_grad;
  parameter(parameters_, "a.narrow.weight").zero_();  // disables the feed-forward network
  parameter(parameters_, "a.narrow.bias").zero_();
  const torch::Tensor mask = mask_between(0, 6, 9);
  const torch::Tensor x = random_tensor({1, 9, kLayerWidth}, 4) * mask;

  const torch::Tensor all =
      block_.query_key_value(block_.attention_norm(x.narrow(1, 0, 6))).view({1, 6, 3, 2, 6});
  const torch::Tensor heads =
      at::scaled_dot_product_attention(apply_rotary_embedding(all.select(2, 0).transpose(1, 2)),
                                       apply_rotary_embedding(all.select(2, 1).transpose(1, 2)),
                                       all.select(2, 2).transpose(1, 2));
  const torch::Tensor expected =
      x.narrow(1, 0, 6) + block_.attention_out(heads.transpose(1, 2).reshape({1, 6, kLayerWidth}));

  const torch::Tensor y = block_(x, mask, speaker_);
  EXPECT_LE(relative_difference(y.narrow(1, 0, 6), expected), 1e-5);
  EXPECT_EQ(y.narrow(1, 6, 3).abs().max().item<double>(), 0.0);
}

TEST_F(AttentionBlockTest, IsInvariantToAShiftOfAllPositions) {
  const torch::Tensor symbols = random_tensor({1, 6, kLayerWidth}, 5);
  const torch::Tensor early = at::constant_pad_nd(symbols, {0, 0, 0, 4});
  const torch::Tensor late = at::constant_pad_nd(symbols, {0, 0, 4, 0});

  const torch::Tensor from_start = block_(early, mask_between(0, 6, 10), speaker_);
  const torch::Tensor from_four = block_(late, mask_between(4, 10, 10), speaker_);

  EXPECT_LE(relative_difference(from_four.narrow(1, 4, 6), from_start.narrow(1, 0, 6)), 1e-5);
}

TEST_F(AttentionBlockTest, EverySymbolAttendsToAllOthersAndEmptyRowsAreFinite) {
  const torch::Tensor mask = mask_between(0, 9, 9);
  const torch::Tensor x = random_tensor({1, 9, kLayerWidth}, 6);
  torch::Tensor changed = x.clone();
  changed[0][8] += random_tensor({kLayerWidth}, 7);

  const torch::Tensor change =
      (block_(changed, mask, speaker_) - block_(x, mask, speaker_)).abs().sum(-1);
  EXPECT_GT(change.min().item<double>(), 0.0);

  const torch::Tensor nothing =
      block_(torch::zeros({1, 9, kLayerWidth}), torch::zeros({1, 9, 1}), speaker_);
  EXPECT_TRUE(nothing.equal(torch::zeros({1, 9, kLayerWidth})));
}

TEST(Layers, ComputeInTheTypeOfTheirInput) {
  ParameterSet parameters(1);
  const Linear linear(parameters, "l", 4, 3);
  const LayerNorm norm(parameters, "n", 4);
  parameters.flatten();
  const torch::Tensor x = random_tensor({2, 4}, 2);

  EXPECT_EQ(linear(x.to(torch::kBFloat16)).scalar_type(), torch::kBFloat16);
  EXPECT_EQ(norm(x.to(torch::kBFloat16)).scalar_type(), torch::kBFloat16);
  EXPECT_EQ(linear(x).scalar_type(), torch::kFloat32);
  linear(x.to(torch::kBFloat16)).sum().backward();
  EXPECT_EQ(linear.weight.grad().scalar_type(), torch::kFloat32);
  EXPECT_GT(parameters.gradients().abs().sum().item<double>(), 0.0);
}

}  // namespace
}  // namespace myxtts::model
