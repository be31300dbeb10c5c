#include "model/heads_torch.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "unit/model/small_model_torch.h"

namespace xtts::model {
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

TEST_F(HeadsTest, ASymbolsNumberComesFromItAndTwoNeighboursToEachSide) {
  const torch::Tensor before = duration_(states_, mask_);
  ASSERT_EQ(before.sizes(), (std::vector<std::int64_t>{2, 8}));
  torch::Tensor changed = states_.clone();
  changed[1][4] += random_tensor({kHeadWidth}, 4);

  const torch::Tensor moved = (duration_(changed, mask_) - before).abs();

  EXPECT_EQ(moved[0].max().item<double>(), 0.0);
  for (std::int64_t t = 0; t < 8; ++t)
    EXPECT_EQ(moved[1][t].item<double>() > 0.0, t >= 2 && t <= 6) << t;
}

TEST_F(HeadsTest, WhatIsOutsideOfTheMaskIsNotSeen) {
  torch::Tensor changed = states_.clone();
  changed[0].narrow(0, 6, 2) += 5.0;

  EXPECT_TRUE(same_bits(duration_(changed, mask_)[0].narrow(0, 0, 6),
                        duration_(states_, mask_)[0].narrow(0, 0, 6)));
  // Nor is it more than a shorter tensor would be.
  const torch::Tensor alone =
      duration_(states_[0].narrow(0, 0, 6).unsqueeze(0), torch::ones({1, 6, 1}));
  EXPECT_LE(relative_difference(duration_(states_, mask_)[0].narrow(0, 0, 6), alone[0]), 1e-5);
}

TEST_F(HeadsTest, NumbersAreFloatWhateverTheStatesAre) {
  const torch::Tensor exact = duration_(states_, mask_);
  const torch::Tensor rough = duration_(states_.to(torch::kBFloat16), mask_);

  EXPECT_EQ(rough.scalar_type(), torch::kFloat32);
  EXPECT_LE(relative_difference(rough, exact), 0.05);
}

TEST_F(HeadsTest, EnergyIsPredictedAndGivenToEachSymbolByItself) {
  const torch::Tensor energies = energy_.predict(states_, mask_);
  EXPECT_EQ(energies.sizes(), (std::vector<std::int64_t>{2, 8}));

  const torch::Tensor embedded = energy_.embed(energies, torch::kFloat32);
  torch::Tensor louder = energies.clone();
  louder[1][3] += 1.0;
  const torch::Tensor moved = (energy_.embed(louder, torch::kFloat32) - embedded).abs().sum(-1);

  EXPECT_EQ(embedded.sizes(), states_.sizes());
  EXPECT_GT(moved[1][3].item<double>(), 0.0);
  EXPECT_EQ((moved > 0.0).sum().item<std::int64_t>(), 1);
  EXPECT_EQ(energy_.embed(energies, torch::kBFloat16).scalar_type(), torch::kBFloat16);
}

torch::Tensor logs_of(const std::vector<double>& frames) {
  return torch::tensor(frames, torch::kFloat64).log().to(torch::kFloat32).unsqueeze(0);
}

std::vector<std::int64_t> spoken(const std::vector<double>& frames, double speed) {
  const torch::Tensor durations = spoken_durations(logs_of(frames), speed)[0].contiguous();
  const std::int64_t* values = durations.data_ptr<std::int64_t>();
  return {values, values + durations.numel()};
}

std::int64_t sum_of(const std::vector<std::int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

TEST(SpokenDurations, AreTheRoundedPredictionsAtSpeedOne) {
  EXPECT_EQ(spoken({3.2, 0.1, 7.6, 12.4}, 1.0), (std::vector<std::int64_t>{3, 1, 8, 12}));
}

TEST(SpokenDurations, AddUpToTheLengthDividedByTheSpeed) {
  base::Random random(3);
  std::vector<double> frames;
  for (int i = 0; i < 60; ++i)
    frames.push_back(1.0 + 9.0 * random.unit() * random.unit());
  const auto length = static_cast<double>(sum_of(spoken(frames, 1.0)));

  for (const double speed : {0.5, 0.7, 1.3, 1.7, 2.0}) {
    const std::vector<std::int64_t> durations = spoken(frames, speed);
    EXPECT_NEAR(static_cast<double>(sum_of(durations)), length / speed, 0.5 + 1e-9) << speed;
    EXPECT_GE(std::ranges::min(durations), 1);
    for (std::size_t i = 0; i < frames.size(); ++i)
      EXPECT_NEAR(static_cast<double>(durations[i]), frames[i] / speed, 2.0) << i;
  }
}

// 1 1 1 at twice the speed cannot be shorter than three frames; the long symbol pays for it.
TEST(SpokenDurations, ShortSymbolsKeepAFrameAndLongOnesPayForIt) {
  EXPECT_EQ(spoken({1, 1, 1, 9, 8}, 2.0), (std::vector<std::int64_t>{1, 1, 1, 3, 4}));
  EXPECT_EQ(spoken({1, 1, 1}, 2.0), (std::vector<std::int64_t>{1, 1, 1}));
}

TEST(SpokenDurations, NeverRunAway) {
  constexpr double kHuge = 1e30;
  for (const double speed : {0.5, 1.0, 2.0}) {
    for (const std::size_t count : {1U, 2U, 10U, 200U}) {
      const std::vector<std::int64_t> durations = spoken(std::vector<double>(count, kHuge), speed);
      const double most = most_frames(static_cast<std::int64_t>(count), speed);
      EXPECT_LE(static_cast<double>(sum_of(durations)), most + 0.5);
      EXPECT_GT(static_cast<double>(sum_of(durations)), 0.9 * most);
      EXPECT_LE(std::ranges::max(durations) - std::ranges::min(durations), 1);
    }
  }
  // What is ordinary in one that is not keeps its share.
  const std::vector<std::int64_t> durations = spoken({kHuge, 10.0, kHuge, 10.0}, 1.0);
  EXPECT_EQ(sum_of(durations), 180);
  EXPECT_EQ(durations[1], 4);
}

TEST(SpokenDurations, OfValuesThatAreNoNumbersAreOneFrame) {
  EXPECT_EQ(spoken({std::numeric_limits<double>::quiet_NaN(), 5.0}, 1.0),
            (std::vector<std::int64_t>{1, 5}));
}

}  // namespace
}  // namespace xtts::model
