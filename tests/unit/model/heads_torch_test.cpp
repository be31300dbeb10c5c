#include "model/heads_torch.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace xtts::model
