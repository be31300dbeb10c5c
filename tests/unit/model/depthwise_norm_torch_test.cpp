#include "model/depthwise_norm_torch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/model/outcome_torch.h"

namespace myxtts::model {
namespace {

struct NormSizes {
  std::int64_t rows, positions, channels, taps;
};

// Rows shorter than the kernel, of one chunk, and of several chunks.
const std::vector<NormSizes> kNormSizes = {
    {1, 1, 9, 7}, {2, 3, 5, 7}, {3, 12, 64, 7}, {2, 150, 70, 3}};

std::vector<torch::Tensor> inputs_for(const NormSizes& sizes, torch::ScalarType type) {
  return {random_tensor({sizes.rows, sizes.positions, sizes.channels}, 1).to(type),
          random_tensor({sizes.channels, sizes.taps}, 2),
          random_tensor({sizes.channels}, 3),
          random_tensor({sizes.rows, sizes.channels}, 4),
          random_tensor({sizes.rows, sizes.channels}, 5)};
}

torch::Tensor fused(const std::vector<torch::Tensor>& in) {
  return depthwise_norm(in[0], in[1], in[2], in[3], in[4]);
}

torch::Tensor reference(const std::vector<torch::Tensor>& in) {
  return reference_depthwise_norm(in[0], in[1], in[2], in[3], in[4]);
}

TEST(DepthwiseNorm, MatchesTheReference) {
  for (const NormSizes& sizes : kNormSizes) {
    SCOPED_TRACE(fmt::format("{} x {} x {}", sizes.rows, sizes.positions, sizes.channels));
    const std::vector<torch::Tensor> inputs = inputs_for(sizes, torch::kFloat32);
    expect_alike(outcome_of(fused, inputs), outcome_of(reference, inputs), 2e-5);
  }
}

// The reference rounds only its result, the kernel also values that it saves for the backward pass.
TEST(DepthwiseNorm, MatchesTheReferenceInBfloat16) {
  for (const NormSizes& sizes : kNormSizes) {
    SCOPED_TRACE(fmt::format("{} x {} x {}", sizes.rows, sizes.positions, sizes.channels));
    const std::vector<torch::Tensor> inputs = inputs_for(sizes, torch::kBFloat16);
    expect_alike(outcome_of(fused, inputs), outcome_of(reference, inputs), kBfloatTolerance);
  }
}

TEST(DepthwiseNorm, IsBitIdenticalForAnyNumberOfThreads) {
  const std::vector<torch::Tensor> inputs = inputs_for({3, 200, 70, 7}, torch::kFloat32);

  expect_same_bits(outcome_with_threads(1, fused, inputs), outcome_with_threads(4, fused, inputs));
}

TEST(DepthwiseNorm, AcceptsNonContiguousTensors) {
  std::vector<torch::Tensor> inputs = inputs_for({2, 9, 6, 7}, torch::kFloat32);
  const torch::Tensor expected = fused(inputs);
  inputs[0] = inputs[0].transpose(1, 2).contiguous().transpose(1, 2);
  inputs[1] = inputs[1].t().contiguous().t();

  EXPECT_TRUE(same_bits(fused(inputs), expected));
}

}  // namespace
}  // namespace myxtts::model
