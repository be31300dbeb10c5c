#include "model/heads_torch.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::model {
namespace {

constexpr std::int64_t kHeadWidth = 10;

class HeadsTest : public testing::Test {
 protected:
  HeadsTest() {
    parameters_.flatten();
    add_noise(parameters_, 0.2, 2);
  }

  ParameterSet parameters_{1};
  SymbolHead duration_{parameters_, "duration", kHeadWidth};
  EnergyHead energy_{parameters_, kHeadWidth};
  torch::Tensor states_ = random_tensor({2, 8, kHeadWidth}, 3);
  torch::Tensor mask_ = length_mask(torch::tensor({6, 8}, torch::kInt64), 8, torch::kFloat32);
};

TEST_F(HeadsTest, PredictionDependsOnTwoNeighboursOnEachSide) {
  const torch::Tensor before = duration_(states_, mask_);
  ASSERT_EQ(before.sizes(), (std::vector<std::int64_t>{2, 8}));
  torch::Tensor changed = states_.clone();
  changed[1][4] += random_tensor({kHeadWidth}, 4);

  const torch::Tensor change = (duration_(changed, mask_) - before).abs();

  EXPECT_EQ(change[0].max().item<double>(), 0.0);
  for (std::int64_t t = 0; t < 8; ++t)
    EXPECT_EQ(change[1][t].item<double>() > 0.0, t >= 2 && t <= 6) << t;
}

TEST_F(HeadsTest, IgnoresStatesOutsideOfTheMask) {
  torch::Tensor changed = states_.clone();
  changed[0].narrow(0, 6, 2) += 5.0;

  EXPECT_TRUE(same_bits(duration_(changed, mask_)[0].narrow(0, 0, 6),
                        duration_(states_, mask_)[0].narrow(0, 0, 6)));
  // A shorter tensor without padding gives the same predictions.
  const torch::Tensor alone =
      duration_(states_[0].narrow(0, 0, 6).unsqueeze(0), torch::ones({1, 6, 1}));
  EXPECT_LE(relative_difference(duration_(states_, mask_)[0].narrow(0, 0, 6), alone[0]), 1e-5);
}

TEST_F(HeadsTest, PredictionsAreFloat32ForAnyStateType) {
  const torch::Tensor exact = duration_(states_, mask_);
  const torch::Tensor bf16 = duration_(states_.to(torch::kBFloat16), mask_);

  EXPECT_EQ(bf16.scalar_type(), torch::kFloat32);
  EXPECT_LE(relative_difference(bf16, exact), 0.05);
}

TEST_F(HeadsTest, EnergyIsPredictedAndEmbeddedPerSymbol) {
  const torch::Tensor energies = energy_.predict(states_, mask_);
  EXPECT_EQ(energies.sizes(), (std::vector<std::int64_t>{2, 8}));

  const torch::Tensor embedded = energy_.embed(energies, torch::kFloat32);
  torch::Tensor louder = energies.clone();
  louder[1][3] += 1.0;
  const torch::Tensor change = (energy_.embed(louder, torch::kFloat32) - embedded).abs().sum(-1);

  EXPECT_EQ(embedded.sizes(), states_.sizes());
  EXPECT_GT(change[1][3].item<double>(), 0.0);
  EXPECT_EQ((change > 0.0).sum().item<std::int64_t>(), 1);
  EXPECT_EQ(energy_.embed(energies, torch::kBFloat16).scalar_type(), torch::kBFloat16);
}

torch::Tensor logs_of(const std::vector<double>& frames) {
  return torch::tensor(frames, torch::kFloat64).log().to(torch::kFloat32).unsqueeze(0);
}

std::vector<std::int64_t> durations_at(const std::vector<double>& frames, double speed) {
  const torch::Tensor durations = inference_durations(logs_of(frames), speed)[0].contiguous();
  const std::int64_t* values = durations.data_ptr<std::int64_t>();
  return {values, values + durations.numel()};
}

std::int64_t sum_of(const std::vector<std::int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

TEST(InferenceDurations, AreRoundedPredictionsAtSpeedOne) {
  EXPECT_EQ(durations_at({3.2, 0.1, 7.6, 12.4}, 1.0), (std::vector<std::int64_t>{3, 1, 8, 12}));
}

TEST(InferenceDurations, SumToTheLengthDividedByTheSpeed) {
  base::Random random(3);
  std::vector<double> frames;
  for (int i = 0; i < 60; ++i)
    frames.push_back(1.0 + 9.0 * random.unit() * random.unit());
  const auto length = static_cast<double>(sum_of(durations_at(frames, 1.0)));

  for (const double speed : {0.5, 0.7, 1.3, 1.7, 2.0}) {
    const std::vector<std::int64_t> durations = durations_at(frames, speed);
    EXPECT_NEAR(static_cast<double>(sum_of(durations)), length / speed, 0.5 + 1e-9) << speed;
    EXPECT_GE(std::ranges::min(durations), 1);
    for (std::size_t i = 0; i < frames.size(); ++i)
      EXPECT_NEAR(static_cast<double>(durations[i]), frames[i] / speed, 2.0) << i;
  }
}

// At twice the speed 1 1 1 still needs three frames; the next long symbol is shortened instead.
TEST(InferenceDurations, LongSymbolsCompensateForShortOnes) {
  EXPECT_EQ(durations_at({1, 1, 1, 9, 8}, 2.0), (std::vector<std::int64_t>{1, 1, 1, 3, 4}));
  EXPECT_EQ(durations_at({1, 1, 1}, 2.0), (std::vector<std::int64_t>{1, 1, 1}));
}

TEST(InferenceDurations, StayWithinTheLimits) {
  constexpr double kHuge = 1e30;
  for (const double speed : {0.5, 1.0, 2.0}) {
    for (const std::size_t count : {1U, 2U, 10U, 200U}) {
      const std::vector<std::int64_t> durations =
          durations_at(std::vector<double>(count, kHuge), speed);
      const double limit = max_frames(static_cast<std::int64_t>(count), speed);
      EXPECT_LE(static_cast<double>(sum_of(durations)), limit + 0.5);
      EXPECT_GT(static_cast<double>(sum_of(durations)), 0.9 * limit);
      EXPECT_LE(std::ranges::max(durations) - std::ranges::min(durations), 1);
    }
  }
  // Normal durations keep their relative length beside huge ones.
  const std::vector<std::int64_t> durations = durations_at({kHuge, 10.0, kHuge, 10.0}, 1.0);
  EXPECT_EQ(sum_of(durations), 180);
  EXPECT_EQ(durations[1], 4);
}

TEST(InferenceDurations, NanBecomesOneFrame) {
  EXPECT_EQ(durations_at({std::numeric_limits<double>::quiet_NaN(), 5.0}, 1.0),
            (std::vector<std::int64_t>{1, 5}));
}

}  // namespace
}  // namespace myxtts::model
