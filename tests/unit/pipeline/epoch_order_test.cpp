#include "pipeline/epoch_order.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/scale.h"
#include "unit/pipeline/random_corpus.h"

namespace xtts::pipeline {
namespace {

std::vector<std::size_t> flat(const std::vector<PlannedUpdate>& updates) {
  std::vector<std::size_t> all;
  for (const PlannedUpdate& update : updates) {
    for (const std::vector<std::size_t>& batch : update.micro_batches)
      all.insert(all.end(), batch.begin(), batch.end());
  }
  return all;
}

// Those that the updates do not have.
std::set<std::size_t> missing_from(const std::vector<PlannedUpdate>& updates, std::size_t count) {
  std::set<std::size_t> missing;
  for (std::size_t i = 0; i < count; ++i)
    missing.insert(i);
  for (const std::size_t i : flat(updates))
    missing.erase(i);
  return missing;
}

void expect_each_once(const std::vector<PlannedUpdate>& updates) {
  std::vector<std::size_t> all = flat(updates);
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end()) << "an utterance comes twice";
}

void expect_rows_fit(const std::vector<PlannedUpdate>& updates,
                     const ShapePlan& plan,
                     const std::vector<Lengths>& lengths) {
  for (const PlannedUpdate& update : updates) {
    for (const std::vector<std::size_t>& batch : update.micro_batches) {
      for (const std::size_t i : batch)
        ASSERT_TRUE(holds(plan.signatures.at(update.signature), lengths.at(i)));
    }
  }
}

TEST(OrderEpoch, HoldsItsPromisesForAnyCorpusAndSettings) {
  const int num_settings = 1000 * support::test_scale();
  for (int s = 0; s < num_settings; ++s) {
    SCOPED_TRACE(testing::Message() << "settings " << s);
    base::Random random(static_cast<std::uint64_t>(s));
    const PlanSettings settings = any_settings(random);
    const std::size_t count = static_cast<std::size_t>(between(random, settings.grad_accum, 250));
    const std::vector<Lengths> lengths = any_lengths(random, count);
    const ShapePlan plan = make_shape_plan(lengths, settings);
    const std::uint64_t seed = random.next();
    const std::int64_t epoch = between(random, 0, 1000);

    const auto updates = order_epoch(seed, epoch, plan, settings.grad_accum, lengths);

    ASSERT_FALSE(updates.empty());
    expect_each_once(updates);
    expect_rows_fit(updates, plan, lengths);
    for (const PlannedUpdate& update : updates) {
      ASSERT_EQ(std::ssize(update.micro_batches), settings.grad_accum);
      for (const auto& batch : update.micro_batches)
        ASSERT_EQ(std::ssize(batch), plan.signatures[update.signature].batch);
    }
    ASSERT_LT(std::ssize(missing_from(updates, count)),
              plan.signatures.back().batch * settings.grad_accum);
    ASSERT_EQ(updates, order_epoch(seed, epoch, plan, settings.grad_accum, lengths));
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace xtts::pipeline
