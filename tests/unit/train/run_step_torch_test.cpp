#include "train/run_step_torch.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "step/step_allocator_torch.h"
#include "unit/step/immediate_device.h"
#include "unit/train/small_run_torch.h"

namespace myxtts::train {
namespace {

TEST(RunStep, NeverRetracesWithAShapePlan) {
  SmallRun run({kShort, kLong});
  EXPECT_STREQ(run.step.kind(), "prepared");
  for (int i = 0; i < 12; ++i)
    run.run(random_batch(i % 2 == 0 ? kShort : kLong, static_cast<std::uint64_t>(i)));
  EXPECT_TRUE(run.step.take_retraces().empty());
  EXPECT_EQ(run.parts.state.retraces, 0);
}

// Sizes that are not part of the signature are detected by their allocations.
TEST(RunStep, ReplayWithOtherAllocationsIsARetrace) {
  SmallRun run({kShort});
  data::Batch batch = random_batch(kShort, 1);
  data::MicroBatch& micro_batch = batch.micro_batches.front();
  micro_batch.reference_frames = 2 * model::kReferenceFrames;
  micro_batch.reference.resize(2 * micro_batch.reference.size());

  run.run(batch);

  const std::vector<step::Retrace> retraces = run.step.take_retraces();
  ASSERT_FALSE(retraces.empty());
  EXPECT_EQ(retraces[0].reason, "allocation");
  EXPECT_EQ(run.parts.state.retraces, std::ssize(retraces));
}

TEST(RunStep, ErrorNamesTheDimensionOfAnUnplannedShape) {
  SmallRun run({kShort, kLong});
  Signature other = kLong;
  ++other.mel;
  try {
    run.run(random_batch(other, 1));
    FAIL() << "accepted a shape that is not in the plan";
  } catch (const BugError& error) {
    EXPECT_NE(std::string(error.what()).find("mel[1] 48 -> 49"), std::string::npos) << error.what();
  }
}

// The signature of a dynamic plan is the upper limit of a batch, not a shape of its own.
TEST(RunStep, DynamicPlanAcceptsEveryShape) {
  config::Config config = small_run_config();
  RunParts parts(config, model::kNumSymbols);
  const data::ShapePlan plan{.signatures = {kLong}, .notes = {}, .mode = data::ShapeMode::kDynamic};
  RunStep step(
      parts, config.training, plan, kProperties, std::make_unique<step::ImmediateDevice>());
  EXPECT_STREQ(step.kind(), "eager");
  data::Batch batch = random_batch(kShort, 1);
  EXPECT_TRUE(step.run(batch, 1e-3, 0.0, 1).has_value());
}

TEST(RunStep, EveryNewShapeIsARetraceWithoutAPlan) {
  SmallRun run({});
  EXPECT_STREQ(run.step.kind(), "eager");
  run.run(random_batch(kShort, 1));
  run.run(random_batch(kLong, 2));
  run.run(random_batch(kShort, 3));

  const std::vector<step::Retrace> retraces = run.step.take_retraces();

  ASSERT_EQ(retraces.size(), 2U);
  EXPECT_EQ(retraces[1].step, 2);
  EXPECT_EQ(retraces[1].what, "text[1] 8 -> 9");
  EXPECT_EQ(run.parts.state.retraces, 2);
}

TEST(RunStep, EagerAndPreparedStepsAreBitIdentical) {
  SmallRun prepared({kShort, kLong});
  SmallRun eager({kShort, kLong}, /*compile_step=*/false);
  EXPECT_STREQ(eager.step.kind(), "eager");
  for (int i = 0; i < 5; ++i) {
    const data::Batch batch = random_batch(kShort, static_cast<std::uint64_t>(i));
    EXPECT_EQ(prepared.run(batch).loss, eager.run(batch).loss);
  }
  EXPECT_TRUE(
      model::same_bits(prepared.parts.parameters().values(), eager.parts.parameters().values()));
}

// The device executes GPU work immediately on the CPU.
TEST(RunStep, CapturedStepReportsTheEagerLossesOneStepLater) {
  SmallRun captured({kShort, kLong}, true, std::make_unique<step::ImmediateDevice>());
  SmallRun eager({kShort, kLong}, /*compile_step=*/false);
  EXPECT_STREQ(captured.step.kind(), "captured");
  ASSERT_EQ(captured.lines.size(), 3U);
  EXPECT_EQ(captured.lines[0], "[step] captured 4x8x40");
  EXPECT_TRUE(captured.lines[2].starts_with("[step] captured 3 of 3 graphs")) << captured.lines[2];

  std::vector<double> expected;
  for (int i = 0; i < 6; ++i) {
    data::Batch batch = random_batch(i % 2 == 0 ? kShort : kLong, static_cast<std::uint64_t>(i));
    const step::StepReport report = eager.run(batch);
    EXPECT_GT(report.copy_s, 0.0);
    expected.push_back(report.loss);
    const auto late = captured.step.run(batch, 1e-3, 0.0, i);
    ASSERT_EQ(late.has_value(), i > 0);
    if (i == 0) continue;
    EXPECT_EQ(late->step, i - 1);
    EXPECT_GT(late->report.copy_s, 0.0);
    const double before = expected[static_cast<std::size_t>(i) - 1];
    EXPECT_NEAR(late->report.loss, before, 1e-5 * before);
  }
  EXPECT_NEAR(captured.step.flush().value().report.loss, expected[5], 1e-5 * expected[5]);
  EXPECT_FALSE(captured.step.flush().has_value());
  EXPECT_FALSE(eager.step.flush().has_value());
  EXPECT_TRUE(captured.step.take_retraces().empty());
}

TEST(RunStep, LogsTheReasonOfAFailedCapture) {
  auto device = std::make_unique<step::ImmediateDevice>();
  device->capture_error = "not permitted";
  const SmallRun run({kShort}, true, std::move(device));
  ASSERT_EQ(run.lines.size(), 3U);
  EXPECT_EQ(run.lines[0], "[step] eager update: not captured: not permitted");
  EXPECT_EQ(run.lines[1], "[step] eager 4x8x40: not captured: not permitted");
  EXPECT_TRUE(run.lines[2].starts_with("[step] captured 0 of 2 graphs")) << run.lines[2];
}

// Whichever allocation fails, the step with halved micro-batches has the same result.
TEST(RunStep, SplitsTheBatchOnceIfAnAllocationFails) {
  SmallRun whole({}, /*compile_step=*/false);
  const step::StepReport expected = whole.run(random_batch(kShort, 1));
  const torch::Tensor gradients = whole.parts.parameters().gradients();
  for (const std::int64_t allocation : {1, 7, 60, 200, 400}) {
    SmallRun run({}, /*compile_step=*/false);
    step::tensor_memory().fail_at(allocation);

    const step::StepReport report = run.run(random_batch(kShort, 1));

    EXPECT_NEAR(report.loss, expected.loss, 1e-5 * expected.loss);
    EXPECT_LE(model::relative_difference(run.parts.parameters().gradients(), gradients), 1e-5);
    EXPECT_EQ(run.parts.optimizer.num_updates(), 1);
    const std::vector<step::Retrace> retraces = run.step.take_retraces();
    ASSERT_EQ(retraces.size(), 2U) << "allocation " << allocation;  // and the first shape
    EXPECT_EQ(retraces[0].reason, "memory");
    EXPECT_NE(retraces[0].what.find("batch 4 -> 2"), std::string::npos) << retraces[0].what;
  }
}

TEST(RunStep, BatchOfOneCannotBeSplit) {
  SmallRun run({}, /*compile_step=*/false);
  step::tensor_memory().fail_at(5);
  EXPECT_THROW(run.run(random_batch({.batch = 1, .text = 8, .mel = 40}, 1)), UserError);
}

}  // namespace
}  // namespace myxtts::train
