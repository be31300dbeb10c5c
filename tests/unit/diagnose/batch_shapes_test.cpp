#include "diagnose/batch_shapes.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/data/small_run.h"

namespace myxtts::diagnose {
namespace {

using data::Signature;

TEST(BatchShapes, MatchTheShapePlan) {
  const data::SmallRun run = data::small_run(/*grad_accum=*/2);

  const BatchShapes shapes = inspect_batches(run.features, run.plan, run.settings, 3);

  EXPECT_TRUE(shapes.unplanned.empty());
  EXPECT_EQ(shapes.loaded.size(), 6U);  // two micro-batches per batch
  std::int64_t sum = 0;
  for (const auto& [shape, count] : shapes.sampled) {
    EXPECT_NE(std::ranges::find(run.plan.signatures, shape), run.plan.signatures.end());
    sum += count;
  }
  EXPECT_EQ(sum, shapes.num_sampled);
  EXPECT_GE(shapes.sampled.front().second, shapes.sampled.back().second);
}

TEST(BatchShapes, CoverAtMostOneEpoch) {
  const data::SmallRun run = data::small_run();

  const BatchShapes shapes = inspect_batches(run.features, run.plan, run.settings, 100'000);

  EXPECT_EQ(std::ssize(shapes.loaded), shapes.num_sampled);
}

TEST(BatchShapes, VaryWithDynamicShapes) {
  data::SmallRun run = data::small_run();
  run.plan = data::fixed_shape_plan({.batch = 4, .text = 60, .mel = 60});
  run.plan.mode = data::ShapeMode::kDynamic;

  const BatchShapes shapes = inspect_batches(run.features, run.plan, run.settings, 5);

  EXPECT_GT(shapes.sampled.size(), 5U);
  EXPECT_TRUE(shapes.unplanned.empty());
  for (const Signature& shape : shapes.loaded)
    EXPECT_EQ(shape.batch, 4);
}

TEST(BatchShapes, AreMeasuredFromTheArraySizes) {
  data::MicroBatch batch = data::empty_micro_batch({.batch = 3, .text = 5, .mel = 7}, 2, 4, -11.5F);
  EXPECT_EQ(measured_shape(batch), (Signature{.batch = 3, .text = 5, .mel = 7}));

  batch.text.resize(3 * 6);  // differs from the declared signature

  EXPECT_EQ(measured_shape(batch), (Signature{.batch = 3, .text = 6, .mel = 7}));
  EXPECT_EQ(measured_shape(data::MicroBatch()), Signature());
}

TEST(BatchShapes, NeedEnoughUtterancesForOneBatch) {
  data::SmallRun run = data::small_run();
  run.plan = data::fixed_shape_plan({.batch = 400, .text = 60, .mel = 60});

  EXPECT_THROW(inspect_batches(run.features, run.plan, run.settings, 1), UserError);
}

}  // namespace
}  // namespace myxtts::diagnose
