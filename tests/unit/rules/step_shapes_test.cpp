#include "rules/step_shapes.h"

#include <gtest/gtest.h>

namespace myxtts::rules {
namespace {

TEST(ParseShape, ReadsThreeSizes) {
  const std::optional<Shape> shape = parse_shape("16x200x768");

  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->batch, 16);
  EXPECT_EQ(shape->text, 200);
  EXPECT_EQ(shape->mel, 768);
  for (const char* name : {"", "16", "16x200", "16x200x", "16x200x768x1", "16,200,768", "axbxc"})
    EXPECT_FALSE(parse_shape(name)) << name;
}

TEST(RowsPerBatch, IsTheMeanOfTheSteps) {
  Record record;
  record.settings.batch_size = 16;
  EXPECT_EQ(rows_per_batch(record), 16.0) << "the configured batch size";

  record.steps = {{.step_s = 1.0, .signature = "7x168x864"}};
  EXPECT_EQ(rows_per_batch(record), 7.0);
  record.settings.grad_accum = 2;
  EXPECT_EQ(rows_per_batch(record), 14.0) << "sum over micro-batches";
  record.steps.push_back({.step_s = 1.0, .signature = "10x100x500"});
  record.steps.push_back({.step_s = 1.0, .signature = "invalid"});
  EXPECT_EQ(rows_per_batch(record), 17.0) << "on average";
  EXPECT_EQ(rows_per_batch({}), std::nullopt);
}

}  // namespace
}  // namespace myxtts::rules
