// Padding of shape plans.

#include <algorithm>

#include <gtest/gtest.h>

#include "data/shape_plan.h"
#include "unit/data/random_corpus.h"

namespace myxtts::data {
namespace {

PlanSettings plan_settings(int batch_size, int grad_accum = 1, std::optional<int> most = {}) {
  return {.batch_size = batch_size, .grad_accum = grad_accum, .max_signatures = most};
}

ShapePlan random_batches_of(std::int64_t rows) {
  return {.signatures = {{.batch = rows, .text = kNoLimit, .mel = kNoLimit}},
          .notes = {},
          .mode = ShapeMode::kDynamic};
}

TEST(MakeShapePlan, SpeechNeedsFewSignaturesForLittlePadding) {
  base::Random random(1);
  const std::vector<Lengths> lengths = speech_lengths(random, 5000);

  const ShapePlan plan = make_shape_plan(lengths, plan_settings(16));
  const ShapePlan one = make_shape_plan(lengths, plan_settings(16, 1, 1));

  EXPECT_GT(padding_of(one, lengths), 0.5);
  EXPECT_LT(padding_of(plan, lengths), 0.13);
  EXPECT_GE(plan.signatures.size(), 4U);
  EXPECT_EQ(one.signatures.front().batch, 16);
}

// Padding targets of an automatic plan.
TEST(MakeShapePlan, LjspeechIsPaddedByLessThanNinePercent) {
  const std::vector<Lengths> lengths = ljspeech_lengths();
  ASSERT_EQ(lengths.size(), 13100U);

  for (const int batch_size : {8, 16, 32, 64}) {
    const ShapePlan plan = make_shape_plan(lengths, plan_settings(batch_size));

    EXPECT_LE(plan.signatures.size(), 8U);
    EXPECT_LE(padding_of(plan, lengths), 0.09) << "batch size " << batch_size;
  }
}

TEST(MakeShapePlan, TheDemoCorpusIsPaddedByLessThanTenPercent) {
  const std::vector<Lengths> lengths = demo_corpus_lengths();
  ASSERT_EQ(lengths.size(), 540U);

  for (const int batch_size : {4, 8, 16}) {
    const ShapePlan plan = make_shape_plan(lengths, plan_settings(batch_size));

    EXPECT_LE(plan.signatures.size(), 8U);
    EXPECT_LE(padding_of(plan, lengths), 0.10) << "batch size " << batch_size;
  }
}

TEST(PaddingOf, IsTheShareOfPaddedFrames) {
  const ShapePlan plan = fixed_shape_plan({.batch = 4, .text = 10, .mel = 100});

  EXPECT_DOUBLE_EQ(padding_of(plan, std::vector<Lengths>{{1, 100}, {1, 50}}), 0.25);
  EXPECT_DOUBLE_EQ(padding_of(plan, std::vector<Lengths>{{1, 50}, {1, 101}}), 0.5);
  EXPECT_DOUBLE_EQ(padding_of(plan, {}), 0.0);
}

// The formula equals the mean over many random orders.
TEST(PaddingOf, OfDynamicShapesEqualsThatOfRandomBatches) {
  base::Random random(3);
  std::vector<Lengths> lengths = speech_lengths(random, 200);
  const ShapePlan plan = random_batches_of(8);
  double real = 0.0;
  double padded = 0.0;
  for (int round = 0; round < 200; ++round) {
    random.shuffle(lengths);
    for (std::size_t begin = 0; begin < lengths.size(); begin += 8) {
      std::int64_t longest = 0;
      for (std::size_t i = begin; i < begin + 8; ++i) {
        longest = std::max(longest, lengths[i].mel);
        real += static_cast<double>(lengths[i].mel);
      }
      padded += 8.0 * static_cast<double>(longest);
    }
  }

  EXPECT_NEAR(padding_of(plan, lengths), 1.0 - real / padded, 0.003);
  EXPECT_DOUBLE_EQ(padding_of(random_batches_of(1), lengths), 0.0);
  EXPECT_DOUBLE_EQ(padding_of(random_batches_of(2), std::vector<Lengths>{{1, 50}, {1, 100}}), 0.25);
  EXPECT_DOUBLE_EQ(padding_of(plan, {}), 0.0);
}

}  // namespace
}  // namespace myxtts::data
