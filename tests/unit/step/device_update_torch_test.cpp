#include "step/device_update_torch.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/model/small_model_torch.h"

namespace myxtts::step {
namespace {

constexpr std::int64_t kNumWeights = 37;

struct Weights {
  explicit Weights(const config::TrainingConfig& training)
      : optimizer(filled(parameters), training), update(parameters, optimizer, training) {}

  static model::ParameterSet& filled(model::ParameterSet& set) {
    set.add("all", {kNumWeights}, 1.0);
    set.flatten();
    return set;
  }

  // Sets gradients of various sizes, some of which are clipped.
  void set_gradient(int number) {
    const double size = std::pow(10.0, number % 5 - 3);
    parameters.gradients().copy_(
        model::random_tensor({kNumWeights}, static_cast<std::uint64_t>(number)) * size);
  }

  std::vector<torch::Tensor> state() {
    return {parameters.values().clone(),
            optimizer.first_moment.clone(),
            optimizer.second_moment.clone(),
            optimizer.count.clone(),
            optimizer.ema.clone()};
  }

  model::ParameterSet parameters{1};
  FlatOptimizer optimizer;
  DeviceUpdate update;
};

config::TrainingConfig training_with(const std::string& optimizer) {
  config::TrainingConfig training;
  training.optimizer = optimizer;
  training.weight_decay = 0.1;
  training.gradient_clip_norm = 1.0;
  training.ema_decay = 0.5;  // reached at the eighth update
  return training;
}

TEST(DeviceUpdate, EqualsTheFlatOptimizer) {
  for (const std::string kind : {"adamw", "adam"}) {
    SCOPED_TRACE(kind);
    Weights reference(training_with(kind));
    Weights on_device(training_with(kind));
    for (int i = 1; i <= 20; ++i) {
      // A power of two, so that the rate is the same in float32 and float64.
      const double rate = std::ldexp(1.0, -4 - i % 3);
      reference.set_gradient(i);
      on_device.set_gradient(i);
      const double norm = reference.optimizer.gradient_norm();
      reference.optimizer.clip(norm);
      reference.optimizer.update(rate);
      const DeviceUpdate::Result result =
          on_device.update.run(torch::tensor(rate, torch::kFloat32), torch::tensor(1.0));

      EXPECT_EQ(result.grad_norm.item<double>(), norm);
      EXPECT_EQ(result.rejected.item<float>(), 0.0F);
      const std::vector<torch::Tensor> expected = reference.state();
      const std::vector<torch::Tensor> found = on_device.state();
      for (std::size_t k = 0; k < expected.size(); ++k)
        ASSERT_LE(model::relative_difference(found[k], expected[k]), 1e-6) << i << ", " << k;
    }
    EXPECT_EQ(on_device.optimizer.num_updates(), 20);
  }
}

TEST(DeviceUpdate, RejectsLossesAndGradientsThatAreNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int updates_before : {0, 3}) {
    for (const auto& [loss, gradient] :
         std::vector<std::pair<double, double>>{{nan, 0.1}, {1.0, infinity}, {1.0, nan}}) {
      SCOPED_TRACE(fmt::format("loss {}, gradient {}", loss, gradient));
      Weights weights(training_with("adamw"));
      const torch::Tensor rate = torch::tensor(0.125, torch::kFloat32);
      for (int i = 1; i <= updates_before; ++i) {
        weights.set_gradient(i);
        weights.update.run(rate, torch::tensor(1.0));
      }
      const std::vector<torch::Tensor> before = weights.state();
      weights.set_gradient(4);
      weights.parameters.gradients()[5].fill_(gradient);

      const DeviceUpdate::Result result = weights.update.run(rate, torch::tensor(loss));

      EXPECT_EQ(result.rejected.item<float>(), 1.0F);
      const std::vector<torch::Tensor> after = weights.state();
      for (std::size_t k = 0; k < before.size(); ++k)
        EXPECT_TRUE(model::same_bits(after[k], before[k])) << k;
    }
  }
}

TEST(DeviceUpdate, WorksWithoutEma) {
  config::TrainingConfig training = training_with("adamw");
  training.ema_decay = 0.0;
  Weights weights(training);
  weights.set_gradient(1);
  weights.update.run(torch::tensor(0.125, torch::kFloat32), torch::tensor(1.0));
  EXPECT_FALSE(weights.optimizer.ema.defined());
  EXPECT_EQ(weights.optimizer.num_updates(), 1);
}

}  // namespace
}  // namespace myxtts::step
