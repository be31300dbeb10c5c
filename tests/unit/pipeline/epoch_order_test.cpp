#include "pipeline/epoch_order.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "support/scale.h"
#include "unit/pipeline/random_corpus.h"

namespace xtts::pipeline {
namespace {

std::vector<std::size_t> flat(const std::vector<PlannedBatch>& updates) {
  std::vector<std::size_t> all;
  for (const PlannedBatch& update : updates) {
    for (const std::vector<std::size_t>& batch : update.micro_batches)
      all.insert(all.end(), batch.begin(), batch.end());
  }
  return all;
}

// Those that the updates do not have.
std::set<std::size_t> missing_from(const std::vector<PlannedBatch>& updates, std::size_t count) {
  std::set<std::size_t> missing;
  for (std::size_t i = 0; i < count; ++i)
    missing.insert(i);
  for (const std::size_t i : flat(updates))
    missing.erase(i);
  return missing;
}

void expect_each_once(const std::vector<PlannedBatch>& updates) {
  std::vector<std::size_t> all = flat(updates);
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end()) << "an utterance comes twice";
}

void expect_rows_fit(const std::vector<PlannedBatch>& updates,
                     const ShapePlan& plan,
                     const std::vector<Lengths>& lengths) {
  for (const PlannedBatch& update : updates) {
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

    const auto updates = sample_epoch(seed, epoch, plan, settings.grad_accum, lengths);

    ASSERT_FALSE(updates.empty());
    ASSERT_EQ(std::ssize(updates), batches_per_epoch(plan, settings.grad_accum, lengths));
    expect_each_once(updates);
    expect_rows_fit(updates, plan, lengths);
    for (const PlannedBatch& update : updates) {
      ASSERT_EQ(std::ssize(update.micro_batches), settings.grad_accum);
      for (const auto& batch : update.micro_batches)
        ASSERT_EQ(std::ssize(batch), plan.signatures[update.signature].batch);
    }
    ASSERT_LT(std::ssize(missing_from(updates, count)),
              plan.signatures.back().batch * settings.grad_accum);
    ASSERT_EQ(updates, sample_epoch(seed, epoch, plan, settings.grad_accum, lengths));
    if (testing::Test::HasFailure()) return;
  }
}

// Two signatures; the second takes what the first cannot use.
ShapePlan two_signatures() {
  return {.signatures = {{.batch = 4, .text = 8, .mel = 16}, {.batch = 3, .text = 8, .mel = 32}},
          .notes = {}};
}

std::vector<Lengths> short_and_long(std::size_t num_short, std::size_t num_long) {
  std::vector<Lengths> lengths(num_short, {.text = 1, .mel = 16});
  lengths.insert(lengths.end(), num_long, {.text = 1, .mel = 32});
  return lengths;
}

TEST(OrderEpoch, ARemainderMovesUpAndWhatIsLeftOfTheLongestIsDropped) {
  const std::vector<Lengths> lengths = short_and_long(11, 8);
  for (std::int64_t epoch = 0; epoch < 50; ++epoch) {
    const auto updates = sample_epoch(1, epoch, two_signatures(), 1, lengths);

    const auto num_first = std::ranges::count(updates, 0U, &PlannedBatch::signature);
    EXPECT_EQ(num_first, 2);                        // 8 of the 11 short ones
    EXPECT_EQ(std::ssize(updates) - num_first, 3);  // 9 of the 8 long and 3 short ones
    EXPECT_EQ(missing_from(updates, 19).size(), 2U);
  }
}

TEST(OrderEpoch, DropsOthersEveryEpochAndEveryoneAtSomeTime) {
  const std::vector<Lengths> lengths = short_and_long(0, 20);
  std::vector<int> times_dropped(20);
  int same_as_before = 0;
  std::set<std::size_t> before;
  for (std::int64_t epoch = 0; epoch < 500; ++epoch) {
    const auto dropped = missing_from(sample_epoch(1, epoch, two_signatures(), 1, lengths), 20);
    ASSERT_EQ(dropped.size(), 2U);
    for (const std::size_t i : dropped)
      ++times_dropped[i];
    if (dropped == before) ++same_as_before;
    before = dropped;
  }
  EXPECT_LT(same_as_before, 15);                            // one pair of 190 by chance
  EXPECT_GT(*std::ranges::min_element(times_dropped), 25);  // 50 on average
  EXPECT_LT(*std::ranges::max_element(times_dropped), 75);
}

TEST(OrderEpoch, AllEpochsHaveTheSameNumberOfUpdatesInAnotherOrder) {
  base::Random random(4);
  const std::vector<Lengths> lengths = speech_lengths(random, 300);
  const ShapePlan plan = make_shape_plan(lengths, {});
  const auto first = sample_epoch(1, 0, plan, 1, lengths);

  for (std::int64_t epoch = 1; epoch < 20; ++epoch) {
    const auto updates = sample_epoch(1, epoch, plan, 1, lengths);
    EXPECT_EQ(updates.size(), first.size());
    EXPECT_NE(updates, first);
  }
  EXPECT_NE(sample_epoch(2, 0, plan, 1, lengths), first);
}

TEST(OrderEpoch, SplittingAnUpdateDoesNotChangeWhoIsInIt) {
  const std::vector<Lengths> lengths = short_and_long(0, 50);
  const ShapePlan whole = fixed_shape_plan({.batch = 6, .text = 8, .mel = 32});
  const ShapePlan thirds = fixed_shape_plan({.batch = 2, .text = 8, .mel = 32});

  EXPECT_EQ(flat(sample_epoch(1, 3, whole, 1, lengths)),
            flat(sample_epoch(1, 3, thirds, 3, lengths)));
}

TEST(OrderEpoch, LeavesOutWhatIsLongerThanThePlan) {
  std::vector<Lengths> lengths = short_and_long(8, 9);
  lengths[3].text = 9;
  lengths[12].mel = 33;

  for (std::int64_t epoch = 0; epoch < 20; ++epoch) {
    const auto missing = missing_from(sample_epoch(1, epoch, two_signatures(), 1, lengths), 17);
    EXPECT_TRUE(missing.contains(3) && missing.contains(12));
  }
}

TEST(OrderEpoch, IsEmptyWhereNoUpdateIsFull) {
  EXPECT_TRUE(sample_epoch(1, 0, two_signatures(), 1, short_and_long(2, 0)).empty());
  EXPECT_TRUE(sample_epoch(1, 0, two_signatures(), 1, {}).empty());
}

// A resumed run must find the order that its save was made with, also years later.
TEST(OrderEpoch, IsTheOneThatOldSavesWereMadeWith) {
  const auto updates = sample_epoch(1, 2, two_signatures(), 1, short_and_long(9, 5));

  EXPECT_EQ(flat(updates),
            (std::vector<std::size_t>{6, 12, 9, 5, 4, 1, 3, 10, 11, 13, 8, 2, 7, 0}));
}

TEST(OrderValidation, HasEveryoneOnceInOrderAndAShortLastBatch) {
  const auto updates = validation_order(two_signatures(), short_and_long(6, 4));

  using Batches = std::vector<std::vector<std::size_t>>;
  ASSERT_EQ(updates.size(), 4U);
  EXPECT_EQ(updates[0], (PlannedBatch{0, Batches{{0, 1, 2, 3}}}));
  EXPECT_EQ(updates[1], (PlannedBatch{0, Batches{{4, 5}}}));
  EXPECT_EQ(updates[2], (PlannedBatch{1, Batches{{6, 7, 8}}}));
  EXPECT_EQ(updates[3], (PlannedBatch{1, Batches{{9}}}));
}

TEST(OrderValidation, DropsNothingForAnyCorpus) {
  for (std::uint64_t s = 0; s < 200; ++s) {
    base::Random random(s);
    const std::vector<Lengths> lengths = any_lengths(random, 1 + random.below(200));
    const ShapePlan plan =
        make_shape_plan(lengths, PlanSettings{static_cast<int>(between(random, 1, 20)), 1, {}});

    const auto updates = validation_order(plan, lengths);

    expect_each_once(updates);
    expect_rows_fit(updates, plan, lengths);
    EXPECT_TRUE(missing_from(updates, lengths.size()).empty());
  }
}

}  // namespace
}  // namespace xtts::pipeline
