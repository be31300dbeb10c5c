// Computes values and gradients of an operator, to compare it with its reference implementation.
#pragma once

#include <functional>
#include <vector>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "unit/model/small_model_torch.h"

namespace myxtts::model {

using Operator = std::function<torch::Tensor(const std::vector<torch::Tensor>& inputs)>;

struct Outcome {
  torch::Tensor y;
  std::vector<torch::Tensor> gradients;  // per input; undefined if it has none
};

// Runs the operator on copies of the inputs, all of which require gradients.
inline Outcome outcome_of(const Operator& work, const std::vector<torch::Tensor>& given) {
  std::vector<torch::Tensor> inputs;
  for (const torch::Tensor& one : given)
    inputs.push_back(one.detach().clone().set_requires_grad(true));
  const torch::Tensor y = work(inputs);
  (y * random_tensor(y.sizes().vec(), 77).to(y.scalar_type())).sum().backward();
  Outcome outcome{.y = y.detach(), .gradients = {}};
  for (const torch::Tensor& one : inputs)
    outcome.gradients.push_back(one.grad());
  return outcome;
}

inline void expect_alike(const Outcome& found, const Outcome& expected, double tolerance) {
  EXPECT_EQ(found.y.scalar_type(), expected.y.scalar_type());
  EXPECT_LE(relative_difference(found.y, expected.y), tolerance);
  ASSERT_EQ(found.gradients.size(), expected.gradients.size());
  for (std::size_t i = 0; i < found.gradients.size(); ++i) {
    ASSERT_EQ(found.gradients[i].scalar_type(), expected.gradients[i].scalar_type()) << i;
    EXPECT_LE(relative_difference(found.gradients[i], expected.gradients[i]), tolerance)
        << "input " << i;
  }
}

inline void expect_same_bits(const Outcome& one, const Outcome& other) {
  EXPECT_TRUE(same_bits(one.y, other.y));
  for (std::size_t i = 0; i < one.gradients.size(); ++i)
    EXPECT_TRUE(same_bits(one.gradients[i], other.gradients[i])) << "input " << i;
}

inline Outcome outcome_with_threads(int threads,
                                    const Operator& work,
                                    const std::vector<torch::Tensor>& inputs) {
  const ThreadsGuard guard(threads);
  return outcome_of(work, inputs);
}

// Tolerance for one bfloat16 rounding and sums of rounded values.
inline constexpr double kBfloatTolerance = 1.0 / 64.0;

}  // namespace myxtts::model
