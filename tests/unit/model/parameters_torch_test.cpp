#include "model/parameters_torch.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::model {
namespace {

// Three parameters with the tensors that layers keep.
struct Three {
  explicit Three(std::uint64_t seed)
      : parameters(seed),
        matrix(parameters.add("matrix", {4, 3}, 0.5)),
        zeros(parameters.add("zeros", {5}, 0.0)),
        ones(parameters.add_constant("ones", {2, 1}, 1.0)) {}

  ParameterSet parameters;
  torch::Tensor matrix, zeros, ones;
};

TEST(ParameterSet, IsOneBufferInTheOrderOfAddition) {
  Three three(1);
  const torch::Tensor before = three.matrix.detach().clone();
  three.parameters.flatten();

  EXPECT_EQ(three.parameters.names(), (std::vector<std::string>{"matrix", "zeros", "ones"}));
  EXPECT_EQ(three.parameters.num_elements(), 19);
  EXPECT_TRUE(three.parameters.values().equal(
      torch::cat({before.flatten(), torch::zeros({5}), torch::ones({2})})));
  EXPECT_TRUE(three.parameters.gradients().equal(torch::zeros({19})));
}

TEST(ParameterSet, TensorsAndGradientsOfLayersShareTheBuffers) {
  Three three(1);
  three.parameters.flatten();
  {
    const torch::NoGradGuard no_grad;
    three.parameters.values().copy_(torch::arange(19, torch::kFloat32));
  }
  EXPECT_EQ(three.matrix[3][2].item<float>(), 11.0F);
  EXPECT_EQ(three.ones[1][0].item<float>(), 18.0F);
  EXPECT_EQ(three.matrix.data_ptr(), three.parameters.values().data_ptr());
  EXPECT_TRUE(three.matrix.is_leaf() && three.matrix.requires_grad());

  // A second backward pass accumulates into the same buffer.
  const void* buffer = three.parameters.gradients().data_ptr();
  for (int i = 0; i < 2; ++i)
    (three.matrix.sum() * 2.0 + three.ones.sum()).backward();

  const torch::Tensor expected =
      torch::cat({torch::full({12}, 4.0), torch::zeros({5}), torch::full({2}, 2.0)});
  EXPECT_EQ(three.parameters.gradients().data_ptr(), buffer);
  EXPECT_TRUE(three.parameters.gradients().equal(expected)) << three.parameters.gradients();
}

// Without a second device a move is visible as new buffers that the layers' tensors point to.
TEST(ParameterSet, LayersFollowMovedBuffers) {
  Three three(1);
  EXPECT_THROW(three.parameters.move_to(torch::kCPU), BugError);
  three.parameters.flatten();
  const torch::Tensor old_values = three.parameters.values();
  const torch::Tensor expected = old_values.clone();
  three.matrix.sum().backward();

  three.parameters.move_to(torch::kCPU);

  EXPECT_NE(three.parameters.values().data_ptr(), old_values.data_ptr());
  EXPECT_TRUE(same_bits(three.parameters.values(), expected));
  EXPECT_EQ(three.matrix.data_ptr(), three.parameters.values().data_ptr());
  EXPECT_EQ(three.parameters.gradients().abs().sum().item<float>(), 0.0F);
  three.zeros.sum().backward();
  EXPECT_EQ(three.parameters.gradients().sum().item<float>(), 5.0F);
}

TEST(ParameterSet, ViewsHaveTheShapesOfTheParameters) {
  Three three(1);
  three.parameters.flatten();
  const torch::Tensor buffer = torch::arange(19, torch::kFloat32);

  const std::vector<torch::Tensor> views = three.parameters.views_of(buffer);

  ASSERT_EQ(views.size(), 3U);
  EXPECT_EQ(views[0].sizes(), three.matrix.sizes());
  EXPECT_EQ(views[1][4].item<float>(), 16.0F);
  views[2].zero_();
  EXPECT_EQ(buffer[18].item<float>(), 0.0F);
  EXPECT_THROW(three.parameters.views_of(torch::zeros({18})), BugError);
}

TEST(ParameterSet, InitialisesBySeedAndStandardDeviation) {
  Three one(1);
  Three again(1);
  Three other(2);

  EXPECT_TRUE(same_bits(one.matrix, again.matrix));
  EXPECT_FALSE(same_bits(one.matrix, other.matrix));

  ParameterSet many(3);
  const torch::Tensor values = many.add("many", {200, 100}, 0.25).detach();
  EXPECT_NEAR(values.std().item<double>(), 0.25, 0.005);
  EXPECT_NEAR(values.mean().item<double>(), 0.0, 0.01);
  EXPECT_LE(values.abs().max().item<double>(), 0.25 * std::sqrt(3.0));
}

TEST(ParameterSet, RejectsDuplicateNamesAndLateAdditions) {
  Three three(1);
  EXPECT_THROW(three.parameters.add("zeros", {1}, 0.0), BugError);

  three.parameters.flatten();
  EXPECT_THROW(three.parameters.add("late", {1}, 0.0), BugError);
}

}  // namespace
}  // namespace myxtts::model
