#include "diagnose/batch_shapes.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/pipeline/small_run.h"

namespace xtts::diagnose {
namespace {

using pipeline::Signature;

TEST(BatchShapes, OfAPlanAreThoseOfThePlan) {
  const pipeline::SmallRun run = pipeline::small_run(/*grad_accum=*/2);

  const BatchShapes shapes = look_at_batches(run.features, run.plan, run.settings, 3);

  EXPECT_TRUE(shapes.odd.empty());
  EXPECT_EQ(shapes.made.size(), 6U);  // two micro-batches each
  std::int64_t sum = 0;
  for (const auto& [shape, count] : shapes.ordered) {
    EXPECT_NE(std::ranges::find(run.plan.signatures, shape), run.plan.signatures.end());
    sum += count;
  }
  EXPECT_EQ(sum, shapes.num_ordered);
  EXPECT_GE(shapes.ordered.front().second, shapes.ordered.back().second);
}

TEST(BatchShapes, AreNoMoreThanAnEpochHas) {
  const pipeline::SmallRun run = pipeline::small_run();

  const BatchShapes shapes = look_at_batches(run.features, run.plan, run.settings, 100'000);

  EXPECT_EQ(std::ssize(shapes.made), shapes.num_ordered);
}

TEST(BatchShapes, OfDynamicBatchesAreAsManyAsTheyCome) {
  pipeline::SmallRun run = pipeline::small_run();
  run.plan = pipeline::fixed_shape_plan({.batch = 4, .text = 60, .mel = 60});
  run.plan.mode = pipeline::ShapeMode::kDynamic;

  const BatchShapes shapes = look_at_batches(run.features, run.plan, run.settings, 5);

  EXPECT_GT(shapes.ordered.size(), 5U);
  EXPECT_TRUE(shapes.odd.empty());
  for (const Signature& made : shapes.made)
    EXPECT_EQ(made.batch, 4);
}

TEST(BatchShapes, AreMeasuredByTheMemoryOfABatch) {
  pipeline::MicroBatch batch =
      pipeline::empty_batch({.batch = 3, .text = 5, .mel = 7}, 2, 4, -11.5F);
  EXPECT_EQ(measured_shape(batch), (Signature{.batch = 3, .text = 5, .mel = 7}));

  batch.text.resize(3 * 6);  // whatever it says of itself

  EXPECT_EQ(measured_shape(batch), (Signature{.batch = 3, .text = 6, .mel = 7}));
  EXPECT_EQ(measured_shape(pipeline::MicroBatch()), Signature());
}

TEST(BatchShapes, NeedEnoughUtterancesForOneUpdate) {
  pipeline::SmallRun run = pipeline::small_run();
  run.plan = pipeline::fixed_shape_plan({.batch = 400, .text = 60, .mel = 60});

  EXPECT_THROW(look_at_batches(run.features, run.plan, run.settings, 1), UserError);
}

}  // namespace
}  // namespace xtts::diagnose
