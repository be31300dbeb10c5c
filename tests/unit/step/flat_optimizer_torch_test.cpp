#include "step/flat_optimizer_torch.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/model/small_model_torch.h"

namespace myxtts::step {
namespace {

constexpr std::int64_t kCount = 37;

// AdamW and Adam as in their papers (arXiv 1711.05101, 1412.6980), with clipping and EMA weights,
// in double precision and one number at a time.
class ReferenceOptimizer {
 public:
  ReferenceOptimizer(std::vector<double> start, const config::TrainingConfig& training)
      : weights(std::move(start)), ema(weights), training_(training) {}

  void update(std::vector<double> gradient, double learning_rate) {
    double norm = 0.0;
    for (const double g : gradient)
      norm += g * g;
    norm = std::sqrt(norm);
    const double shrink = std::min(1.0, training_.gradient_clip_norm / norm);
    ++count_;
    const double first_bias = 1.0 - std::pow(training_.beta1, count_);
    const double second_bias = 1.0 - std::pow(training_.beta2, count_);
    const double decay = std::min(training_.ema_decay, (1.0 + count_) / (10.0 + count_));
    for (std::size_t i = 0; i < weights.size(); ++i) {
      double g = gradient[i] * shrink;
      if (training_.optimizer == "adam") {
        g += training_.weight_decay * weights[i];
      } else {
        weights[i] *= 1.0 - learning_rate * training_.weight_decay;
      }
      first_[i] = training_.beta1 * first_[i] + (1.0 - training_.beta1) * g;
      second_[i] = training_.beta2 * second_[i] + (1.0 - training_.beta2) * g * g;
      weights[i] -= learning_rate * (first_[i] / first_bias) /
                    (std::sqrt(second_[i] / second_bias) + training_.eps);
      ema[i] = decay * ema[i] + (1.0 - decay) * weights[i];
    }
  }

  std::vector<double> weights;
  std::vector<double> ema;

 private:
  config::TrainingConfig training_;
  int count_ = 0;
  std::vector<double> first_ = std::vector<double>(weights.size());
  std::vector<double> second_ = std::vector<double>(weights.size());
};

std::vector<double> doubles_of(const torch::Tensor& tensor) {
  const torch::Tensor exact = tensor.detach().to(torch::kFloat64).contiguous();
  return {exact.data_ptr<double>(), exact.data_ptr<double>() + exact.numel()};
}

double largest_difference(const torch::Tensor& found, const std::vector<double>& expected) {
  return (found.detach().to(torch::kFloat64) - torch::tensor(expected, torch::kFloat64))
      .abs()
      .max()
      .item<double>();
}

class FlatOptimizerTest : public testing::Test {
 protected:
  FlatOptimizerTest() {
    parameters_.add("some", {kCount - 5}, 1.0);
    parameters_.add("others", {5}, 1.0);
    parameters_.flatten();
    training_.weight_decay = 0.1;
    training_.gradient_clip_norm = 1.0;
    training_.ema_decay = 0.5;  // reached at the eighth update
  }

  // Sets gradients of various sizes, some of which are clipped.
  void set_gradient(int update) {
    const double size = std::pow(10.0, update % 5 - 3);
    parameters_.gradients().copy_(
        model::random_tensor({kCount}, static_cast<std::uint64_t>(update)) * size);
  }

  model::ParameterSet parameters_{1};
  config::TrainingConfig training_;
};

TEST_F(FlatOptimizerTest, EqualsTheReferenceWithClippingDecayAndEma) {
  for (const std::string kind : {"adamw", "adam"}) {
    for (const double weight_decay : {0.0, 0.1}) {
      SCOPED_TRACE(fmt::format("{} with weight decay {}", kind, weight_decay));
      training_.optimizer = kind;
      training_.weight_decay = weight_decay;
      FlatOptimizer optimizer(parameters_, training_);
      ReferenceOptimizer reference(doubles_of(parameters_.values()), training_);
      for (int i = 1; i <= 20; ++i) {
        const double learning_rate = 0.02 / i;
        set_gradient(i);
        reference.update(doubles_of(parameters_.gradients()), learning_rate);
        optimizer.clip(optimizer.gradient_norm());
        optimizer.update(learning_rate);

        ASSERT_LE(largest_difference(parameters_.values(), reference.weights), 2e-6) << i;
        ASSERT_LE(largest_difference(optimizer.ema, reference.ema), 2e-6) << i;
      }
      EXPECT_EQ(optimizer.num_updates(), 20);
    }
  }
}

TEST_F(FlatOptimizerTest, ClipsOnlyGradientsAboveTheLimit) {
  FlatOptimizer optimizer(parameters_, training_);
  parameters_.gradients().fill_(0.1);  // norm sqrt(37) / 10 = 0.61
  const torch::Tensor before = parameters_.gradients().clone();
  optimizer.clip(optimizer.gradient_norm());
  EXPECT_TRUE(model::same_bits(parameters_.gradients(), before));

  parameters_.gradients().fill_(3.0);
  EXPECT_NEAR(optimizer.gradient_norm(), 3.0 * std::sqrt(37.0), 1e-4);
  optimizer.clip(optimizer.gradient_norm());
  EXPECT_NEAR(optimizer.gradient_norm(), 1.0, 1e-6);

  optimizer.zero_gradients();
  EXPECT_EQ(optimizer.gradient_norm(), 0.0);
}

// As a run that resumes from a checkpoint.
TEST_F(FlatOptimizerTest, ResumesBitIdenticallyFromMomentsAndCount) {
  FlatOptimizer optimizer(parameters_, training_);
  const auto update = [&](FlatOptimizer& one, int number) {
    set_gradient(number);
    one.clip(one.gradient_norm());
    one.update(0.01);
  };
  for (int i = 1; i <= 3; ++i)
    update(optimizer, i);
  const torch::Tensor weights = parameters_.values().clone();
  FlatOptimizer resumed(parameters_, training_);
  resumed.first_moment.copy_(optimizer.first_moment);
  resumed.second_moment.copy_(optimizer.second_moment);
  resumed.count.copy_(optimizer.count);
  resumed.ema.copy_(optimizer.ema);

  update(optimizer, 4);
  const torch::Tensor expected = parameters_.values().clone();
  parameters_.values().copy_(weights);
  update(resumed, 4);

  EXPECT_TRUE(model::same_bits(parameters_.values(), expected));
  EXPECT_TRUE(model::same_bits(resumed.ema, optimizer.ema));
  EXPECT_EQ(resumed.num_updates(), 4);
}

TEST_F(FlatOptimizerTest, EmaWeightsAreSwappedInAndTrainedOnesRestored) {
  FlatOptimizer optimizer(parameters_, training_);
  set_gradient(1);
  optimizer.update(0.1);
  const torch::Tensor trained = parameters_.values().clone();
  const torch::Tensor emad = optimizer.ema.clone();
  ASSERT_FALSE(model::same_bits(trained, emad));
  {
    const EmaWeights swapped(parameters_, optimizer);
    EXPECT_TRUE(model::same_bits(parameters_.values(), emad));
    EXPECT_TRUE(model::same_bits(parameters_.tensors()[0], emad.narrow(0, 0, kCount - 5)));
  }
  EXPECT_TRUE(model::same_bits(parameters_.values(), trained));
  EXPECT_TRUE(model::same_bits(optimizer.ema, emad));
}

TEST_F(FlatOptimizerTest, EmaRestartsFromTheWeights) {
  FlatOptimizer optimizer(parameters_, training_);
  set_gradient(1);
  optimizer.update(0.1);
  ASSERT_FALSE(model::same_bits(optimizer.ema, parameters_.values()));

  optimizer.restart_ema();
  EXPECT_TRUE(model::same_bits(optimizer.ema, parameters_.values()));
  parameters_.values().add_(1.0);
  EXPECT_FALSE(model::same_bits(optimizer.ema, parameters_.values()));
}

TEST_F(FlatOptimizerTest, WithoutEmaNothingIsSwapped) {
  training_.ema_decay = 0.0;
  FlatOptimizer optimizer(parameters_, training_);
  set_gradient(1);
  optimizer.update(0.1);
  const torch::Tensor trained = parameters_.values().clone();

  EXPECT_FALSE(optimizer.ema.defined());
  const EmaWeights swapped(parameters_, optimizer);
  EXPECT_TRUE(model::same_bits(parameters_.values(), trained));
}

}  // namespace
}  // namespace myxtts::step
