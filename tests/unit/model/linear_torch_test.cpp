#include "model/linear_torch.h"

#include <gtest/gtest.h>

#include "unit/model/outcome_torch.h"

namespace myxtts::model {
namespace {

constexpr std::int64_t kLinearRows = 3;
constexpr std::int64_t kLinearPositions = 50;  // 150 in total, several chunks
constexpr std::int64_t kLinearIn = 12;
constexpr std::int64_t kLinearOut = 21;

std::vector<torch::Tensor> linear_inputs(torch::ScalarType type) {
  return {random_tensor({kLinearRows, kLinearPositions, kLinearIn}, 1).to(type),
          random_tensor({kLinearOut, kLinearIn}, 2),
          random_tensor({kLinearOut}, 3)};
}

// As linear_inputs(), with the residual as last input.
std::vector<torch::Tensor> residual_inputs(torch::ScalarType type) {
  std::vector<torch::Tensor> inputs = linear_inputs(type);
  inputs.push_back(random_tensor({kLinearRows, kLinearPositions, kLinearOut}, 4).to(type));
  return inputs;
}

// The last positions of the second row are padding.
torch::Tensor some_mask(torch::ScalarType type) {
  torch::Tensor mask = torch::ones({kLinearRows, kLinearPositions, 1}, type);
  mask.select(0, 1).narrow(0, kLinearPositions - 7, 7).zero_();
  return mask;
}

torch::Tensor fused_gelu(const std::vector<torch::Tensor>& in) {
  return linear_gelu(in[0], in[1], in[2]);
}

torch::Tensor reference_gelu(const std::vector<torch::Tensor>& in) {
  return reference_linear_gelu(in[0], in[1], in[2]);
}

torch::Tensor fused_residual(const std::vector<torch::Tensor>& in) {
  return linear_residual(in[3], in[0], in[1], in[2], some_mask(in[0].scalar_type()));
}

torch::Tensor reference_residual(const std::vector<torch::Tensor>& in) {
  return reference_linear_residual(in[3], in[0], in[1], in[2], some_mask(in[0].scalar_type()));
}

TEST(LinearGelu, MatchesTheReference) {
  const std::vector<torch::Tensor> exact = linear_inputs(torch::kFloat32);
  expect_alike(outcome_of(fused_gelu, exact), outcome_of(reference_gelu, exact), 2e-6);

  const std::vector<torch::Tensor> half = linear_inputs(torch::kBFloat16);
  expect_alike(outcome_of(fused_gelu, half), outcome_of(reference_gelu, half), kBfloatTolerance);
}

TEST(LinearGelu, IsZeroOrTheIdentityForLargeInputs) {
  const torch::Tensor far =
      torch::tensor({-200.0F, -60.0F, -20.0F, -9.0F, 9.0F, 20.0F, 60.0F, 200.0F});
  const torch::Tensor x = far.view({1, 1, 8}).set_requires_grad(true);

  const torch::Tensor y = linear_gelu(x, torch::eye(8), torch::zeros(8));
  y.sum().backward();

  EXPECT_LE((y.view({8}) - far.clamp_min(0.0)).abs().max().item<double>(), 1e-6);
  EXPECT_LE((x.grad().view({8}) - (far > 0.0).to(torch::kFloat32)).abs().max().item<double>(),
            1e-6);
}

// Rounds inputs to small integers, whose products are exact: otherwise results of LibTorch's matrix
// product depend on the number of threads.
std::vector<torch::Tensor> rounded_to_integers(std::vector<torch::Tensor> inputs) {
  for (torch::Tensor& one : inputs)
    one = at::round(one * 8.0);
  return inputs;
}

TEST(LinearGelu, IsBitIdenticalForAnyNumberOfThreads) {
  const std::vector<torch::Tensor> inputs = rounded_to_integers(linear_inputs(torch::kFloat32));
  const Outcome one = outcome_with_threads(1, fused_gelu, inputs);
  const Outcome four = outcome_with_threads(4, fused_gelu, inputs);

  EXPECT_TRUE(same_bits(one.y, four.y));
  EXPECT_TRUE(same_bits(one.gradients[2], four.gradients[2]));
}

// Inference and validation need no gradients and use another function.
TEST(LinearGelu, InferenceIsBitIdenticalAndKeepsItsInput) {
  for (const torch::ScalarType type : {torch::kFloat32, torch::kBFloat16}) {
    const std::vector<torch::Tensor> in = linear_inputs(type);
    const torch::Tensor before = in[0].clone();
    const torch::Tensor with = fused_gelu(in);

    const torch::NoGradGuard no_grad;
    const torch::Tensor without = fused_gelu(in);

    EXPECT_EQ(without.sizes(), with.sizes());
    EXPECT_TRUE(same_bits(without, with));
    EXPECT_TRUE(same_bits(in[0], before));
  }
}

// The duration and energy predictors have detached inputs.
TEST(LinearGelu, AcceptsAnInputWithoutGradient) {
  const std::vector<torch::Tensor> in = linear_inputs(torch::kFloat32);
  const torch::Tensor weight = in[1].clone().set_requires_grad(true);

  linear_gelu(in[0], weight, in[2]).sum().backward();

  EXPECT_FALSE(in[0].grad().defined());
  EXPECT_EQ(weight.grad().sizes(), weight.sizes());
}

TEST(LinearResidual, MatchesTheReference) {
  const std::vector<torch::Tensor> exact = residual_inputs(torch::kFloat32);
  expect_alike(outcome_of(fused_residual, exact), outcome_of(reference_residual, exact), 2e-6);

  const std::vector<torch::Tensor> half = residual_inputs(torch::kBFloat16);
  expect_alike(
      outcome_of(fused_residual, half), outcome_of(reference_residual, half), kBfloatTolerance);
}

TEST(LinearResidual, BroadcastsTheMask) {
  const std::vector<torch::Tensor> in = residual_inputs(torch::kFloat32);

  EXPECT_TRUE(
      same_bits(linear_residual(in[3], in[0], in[1], in[2], torch::ones({1, 1, 1})),
                linear_residual(
                    in[3], in[0], in[1], in[2], torch::ones({kLinearRows, kLinearPositions, 1}))));
}

TEST(LinearResidual, IsBitIdenticalForAnyNumberOfThreads) {
  const std::vector<torch::Tensor> inputs = rounded_to_integers(residual_inputs(torch::kFloat32));
  const Outcome one = outcome_with_threads(1, fused_residual, inputs);
  const Outcome four = outcome_with_threads(4, fused_residual, inputs);

  EXPECT_TRUE(same_bits(one.y, four.y));
  EXPECT_TRUE(same_bits(one.gradients[2], four.gradients[2]));
}

}  // namespace
}  // namespace myxtts::model
