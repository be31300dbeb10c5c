#include "data/epoch_order.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "support/scale.h"
#include "unit/data/random_corpus.h"

namespace myxtts::data {
namespace {

std::vector<std::size_t> flat(const std::vector<PlannedBatch>& batches) {
  std::vector<std::size_t> all;
  for (const PlannedBatch& batch : batches) {
    for (const std::vector<std::size_t>& micro_batch : batch.micro_batches)
      all.insert(all.end(), micro_batch.begin(), micro_batch.end());
  }
  return all;
}

// Returns the utterances that are in no batch.
std::set<std::size_t> missing_from(const std::vector<PlannedBatch>& batches, std::size_t count) {
  std::set<std::size_t> missing;
  for (std::size_t i = 0; i < count; ++i)
    missing.insert(i);
  for (const std::size_t i : flat(batches))
    missing.erase(i);
  return missing;
}

void expect_each_once(const std::vector<PlannedBatch>& batches) {
  std::vector<std::size_t> all = flat(batches);
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end()) << "an utterance occurs twice";
}

void expect_rows_fit(const std::vector<PlannedBatch>& batches,
                     const ShapePlan& plan,
                     const std::vector<Lengths>& lengths) {
  for (const PlannedBatch& batch : batches) {
    for (const std::vector<std::size_t>& micro_batch : batch.micro_batches) {
      for (const std::size_t i : micro_batch)
        ASSERT_TRUE(holds(plan.signatures.at(batch.signature), lengths.at(i)));
    }
  }
}

TEST(SampleEpoch, BatchesAreValidForAnyCorpusAndSettings) {
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

    const auto batches = sample_epoch(seed, epoch, plan, settings.grad_accum, lengths);

    ASSERT_FALSE(batches.empty());
    ASSERT_EQ(std::ssize(batches), batches_per_epoch(plan, settings.grad_accum, lengths));
    expect_each_once(batches);
    expect_rows_fit(batches, plan, lengths);
    for (const PlannedBatch& batch : batches) {
      ASSERT_EQ(std::ssize(batch.micro_batches), settings.grad_accum);
      for (const auto& micro_batch : batch.micro_batches)
        ASSERT_EQ(std::ssize(micro_batch), plan.signatures[batch.signature].batch);
    }
    ASSERT_LT(std::ssize(missing_from(batches, count)),
              plan.signatures.back().batch * settings.grad_accum);
    ASSERT_EQ(batches, sample_epoch(seed, epoch, plan, settings.grad_accum, lengths));
    if (testing::Test::HasFailure()) return;
  }
}

// Two signatures; the second takes the remainder of the first.
ShapePlan two_signatures() {
  return {.signatures = {{.batch = 4, .text = 8, .mel = 16}, {.batch = 3, .text = 8, .mel = 32}},
          .notes = {}};
}

std::vector<Lengths> short_and_long(std::size_t num_short, std::size_t num_long) {
  std::vector<Lengths> lengths(num_short, {.text = 1, .mel = 16});
  lengths.insert(lengths.end(), num_long, {.text = 1, .mel = 32});
  return lengths;
}

TEST(SampleEpoch, RemainderMovesUpAndThatOfTheLongestIsDropped) {
  const std::vector<Lengths> lengths = short_and_long(11, 8);
  for (std::int64_t epoch = 0; epoch < 50; ++epoch) {
    const auto batches = sample_epoch(1, epoch, two_signatures(), 1, lengths);

    const auto num_first = std::ranges::count(batches, 0U, &PlannedBatch::signature);
    EXPECT_EQ(num_first, 2);                        // 8 of the 11 short ones
    EXPECT_EQ(std::ssize(batches) - num_first, 3);  // 9 of the 8 long and 3 short ones
    EXPECT_EQ(missing_from(batches, 19).size(), 2U);
  }
}

TEST(SampleEpoch, DropsDifferentUtterancesInEveryEpoch) {
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
  EXPECT_LT(same_as_before, 15);                            // one pair of 190 at random
  EXPECT_GT(*std::ranges::min_element(times_dropped), 25);  // 50 on average
  EXPECT_LT(*std::ranges::max_element(times_dropped), 75);
}

TEST(SampleEpoch, AllEpochsHaveEquallyManyBatchesInDifferentOrder) {
  base::Random random(4);
  const std::vector<Lengths> lengths = speech_lengths(random, 300);
  const ShapePlan plan = make_shape_plan(lengths, {});
  const auto first = sample_epoch(1, 0, plan, 1, lengths);

  for (std::int64_t epoch = 1; epoch < 20; ++epoch) {
    const auto batches = sample_epoch(1, epoch, plan, 1, lengths);
    EXPECT_EQ(batches.size(), first.size());
    EXPECT_NE(batches, first);
  }
  EXPECT_NE(sample_epoch(2, 0, plan, 1, lengths), first);
}

TEST(SampleEpoch, SplittingABatchDoesNotChangeItsUtterances) {
  const std::vector<Lengths> lengths = short_and_long(0, 50);
  const ShapePlan whole = fixed_shape_plan({.batch = 6, .text = 8, .mel = 32});
  const ShapePlan thirds = fixed_shape_plan({.batch = 2, .text = 8, .mel = 32});

  EXPECT_EQ(flat(sample_epoch(1, 3, whole, 1, lengths)),
            flat(sample_epoch(1, 3, thirds, 3, lengths)));
}

TEST(SampleEpoch, FiltersUtterancesThatAreLongerThanThePlan) {
  std::vector<Lengths> lengths = short_and_long(8, 9);
  lengths[3].text = 9;
  lengths[12].mel = 33;

  for (std::int64_t epoch = 0; epoch < 20; ++epoch) {
    const auto missing = missing_from(sample_epoch(1, epoch, two_signatures(), 1, lengths), 17);
    EXPECT_TRUE(missing.contains(3) && missing.contains(12));
  }
}

TEST(SampleEpoch, IsEmptyIfNoBatchIsFull) {
  EXPECT_TRUE(sample_epoch(1, 0, two_signatures(), 1, short_and_long(2, 0)).empty());
  EXPECT_TRUE(sample_epoch(1, 0, two_signatures(), 1, {}).empty());
}

// A resumed run must sample the same order as the run that wrote the checkpoint.
TEST(SampleEpoch, OrderIsThatOfOldCheckpoints) {
  const auto batches = sample_epoch(1, 2, two_signatures(), 1, short_and_long(9, 5));

  EXPECT_EQ(flat(batches),
            (std::vector<std::size_t>{6, 12, 9, 5, 4, 1, 3, 10, 11, 13, 8, 2, 7, 0}));
}

TEST(ValidationOrder, HasEveryUtteranceOnceInOrderAndAShortLastBatch) {
  const auto batches = validation_order(two_signatures(), short_and_long(6, 4));

  using Batches = std::vector<std::vector<std::size_t>>;
  ASSERT_EQ(batches.size(), 4U);
  EXPECT_EQ(batches[0], (PlannedBatch{0, Batches{{0, 1, 2, 3}}}));
  EXPECT_EQ(batches[1], (PlannedBatch{0, Batches{{4, 5}}}));
  EXPECT_EQ(batches[2], (PlannedBatch{1, Batches{{6, 7, 8}}}));
  EXPECT_EQ(batches[3], (PlannedBatch{1, Batches{{9}}}));
}

TEST(ValidationOrder, DropsNothingForAnyCorpus) {
  for (std::uint64_t s = 0; s < 200; ++s) {
    base::Random random(s);
    const std::vector<Lengths> lengths = any_lengths(random, 1 + random.below(200));
    const ShapePlan plan =
        make_shape_plan(lengths, PlanSettings{static_cast<int>(between(random, 1, 20)), 1, {}});

    const auto batches = validation_order(plan, lengths);

    expect_each_once(batches);
    expect_rows_fit(batches, plan, lengths);
    EXPECT_TRUE(missing_from(batches, lengths.size()).empty());
  }
}

}  // namespace
}  // namespace myxtts::data
