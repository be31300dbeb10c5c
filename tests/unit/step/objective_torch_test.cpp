#include "step/objective_torch.h"

#include <gtest/gtest.h>

namespace myxtts::step {
namespace {

TEST(LossOf, SumsWeightedMeans) {
  const std::vector<LossShare> shares = {{"one", torch::tensor(6.0F), 3.0, 0.5},
                                         {"other", torch::tensor(8.0F), 2.0, 2.0}};

  EXPECT_FLOAT_EQ(loss_of(shares).item<float>(), 1.0F + 8.0F);
}

}  // namespace
}  // namespace myxtts::step
