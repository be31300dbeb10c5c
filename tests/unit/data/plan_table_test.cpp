#include "data/plan_table.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "data/epoch_order.h"
#include "support/scale.h"
#include "unit/data/random_corpus.h"

namespace myxtts::data {
namespace {

TEST(PlanTable, CountsTheBatchesOfAnEpoch) {
  for (int s = 0; s < 200 * support::test_scale(); ++s) {
    base::Random random(static_cast<std::uint64_t>(s));
    const PlanSettings settings = any_settings(random);
    const auto count = static_cast<std::size_t>(between(random, settings.grad_accum, 300));
    const std::vector<Lengths> lengths = any_lengths(random, count);
    ShapePlan plan = make_shape_plan(lengths, settings);
    if (s % 3 == 0) plan.limits.mel = plan.signatures.front().mel;

    const std::vector<PlanRow> rows = plan_table(plan, settings.grad_accum, lengths);

    const auto order = sample_epoch(1, 0, plan, settings.grad_accum, lengths);
    ASSERT_EQ(rows.size(), plan.signatures.size());
    double shares = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i].signature, plan.signatures[i]);
      EXPECT_EQ(rows[i].batches, std::ranges::count(order, i, &PlannedBatch::signature));
      EXPECT_GE(rows[i].padding, 0.0);
      EXPECT_LT(rows[i].padding, 1.0);
      shares += rows[i].share;
    }
    EXPECT_NEAR(shares, order.empty() ? 0.0 : 1.0, 1e-9);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(PlanTable, HasThePaddingOfEachSignature) {
  const ShapePlan plan{.signatures = {{2, 8, 100, 0}, {1, 8, 200, 0}}, .notes = {}};
  const std::vector<Lengths> lengths = {{1, 100}, {1, 50}, {1, 150}, {1, 201}};

  const std::vector<PlanRow> rows = plan_table(plan, 1, lengths);

  ASSERT_EQ(rows.size(), 2U);
  EXPECT_DOUBLE_EQ(rows[0].padding, 0.25);
  EXPECT_DOUBLE_EQ(rows[1].padding, 0.25);
  EXPECT_EQ(rows[0].batches, 1);
  EXPECT_DOUBLE_EQ(rows[0].share, 0.5);
}

}  // namespace
}  // namespace myxtts::data
