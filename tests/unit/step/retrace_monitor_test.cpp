#include "step/retrace_monitor.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::step {
namespace {

using data::Signature;

constexpr Signature kShort{.batch = 16, .text = 64, .mel = 320};
constexpr Signature kLong{.batch = 8, .text = 128, .mel = 640};
const std::vector<Signature> kPlan = {kShort, kLong};

Signature with_mel(Signature signature, std::int64_t mel) {
  signature.mel = mel;
  return signature;
}

TEST(RetraceMonitor, AShapeOfThePlanIsNoRetrace) {
  RetraceMonitor monitor(kPlan);
  for (std::int64_t step = 1; step <= 20; ++step)
    EXPECT_FALSE(monitor.step(step, step % 3 == 0 ? kLong : kShort, 0.5));
  EXPECT_EQ(monitor.total(), 0);
}

TEST(RetraceMonitor, AShapeOutsideThePlanIsARetraceOnce) {
  RetraceMonitor monitor(kPlan);
  monitor.step(1, kShort, 0.5);
  monitor.step(2, kShort, 0.5);

  const std::optional<Retrace> retrace = monitor.step(3, with_mel(kShort, 332), 0.91);

  ASSERT_TRUE(retrace);
  EXPECT_EQ(retrace->message(),
            "RETRACING detected at step 3 (total retraces: 1): mel[1] 320 -> 332, 0.41 s");
  EXPECT_FALSE(monitor.step(4, with_mel(kShort, 332), 0.5));
  EXPECT_EQ(monitor.total(), 1);
}

TEST(RetraceMonitor, WithoutAPlanEveryNewShapeIsARetrace) {
  RetraceMonitor monitor({});

  const std::optional<Retrace> first = monitor.step(1, kShort, 0.5);

  ASSERT_TRUE(first);
  EXPECT_EQ(first->message(),
            "RETRACING detected at step 1 (total retraces: 1): first shape 16x64x320");
  EXPECT_TRUE(monitor.step(2, kLong, 0.7));
  EXPECT_FALSE(monitor.step(3, kShort, 0.5));
  EXPECT_EQ(monitor.total(), 2);
}

TEST(RetraceMonitor, RepeatedRetracesAddASuggestion) {
  RetraceMonitor monitor(kPlan);
  EXPECT_FALSE(monitor.step(10, with_mel(kShort, 1), 0.5)->is_repeated);
  EXPECT_FALSE(monitor.step(17, with_mel(kShort, 2), 0.5)->is_repeated);

  const std::optional<Retrace> soon = monitor.step(23, with_mel(kShort, 3), 0.5);

  EXPECT_TRUE(soon->is_repeated);
  EXPECT_NE(soon->message().find("--shape-buckets auto"), std::string::npos);
}

TEST(RetraceMonitor, ADeviatingReplayIsARetrace) {
  RetraceMonitor monitor(kPlan);
  monitor.step(1, kShort, 0.5);

  const Retrace retrace = monitor.deviation(2, "allocation", "request 12 4096 -> 8192 bytes", 0.75);

  EXPECT_EQ(retrace.reason, "allocation");
  EXPECT_EQ(retrace.message(),
            "RETRACING detected at step 2 (total retraces: 1): allocation: request 12 4096 -> "
            "8192 bytes, 0.25 s");
}

TEST(RetraceMonitor, CostIsRelativeToTheMedianAndNeverNegative) {
  RetraceMonitor monitor(kPlan);
  for (const double seconds : {0.1, 0.2, 9.0})
    monitor.step(1, kShort, seconds);
  EXPECT_DOUBLE_EQ(*monitor.step(2, with_mel(kShort, 1), 0.5)->cost_s, 0.3);
  EXPECT_DOUBLE_EQ(*monitor.step(3, with_mel(kShort, 2), 0.0)->cost_s, 0.0);
}

TEST(RetraceMonitor, ContinuesFromACheckpoint) {
  RetraceMonitor monitor(kPlan);
  monitor.restore(41);
  EXPECT_EQ(monitor.step(7, with_mel(kShort, 1), 0.5)->total, 42);
}

TEST(ChangedDimension, NamesTheFirstDifference) {
  EXPECT_EQ(changed_dimension(kShort, kShort), "");
  EXPECT_EQ(changed_dimension(kShort, with_mel(kShort, 321)), "mel[1] 320 -> 321");
  EXPECT_EQ(changed_dimension(kShort, {.batch = 16, .text = 65, .mel = 320}), "text[1] 64 -> 65");
  EXPECT_EQ(changed_dimension(kShort, {.batch = 15, .text = 64, .mel = 320}), "mel[0] 16 -> 15");
  EXPECT_EQ(changed_dimension({.batch = 4, .samples = 100}, {.batch = 4, .samples = 120}),
            "samples[1] 100 -> 120");
  EXPECT_EQ(changed_dimension({.batch = 4, .samples = 100}, {.batch = 5, .samples = 100}),
            "samples[0] 4 -> 5");
}

TEST(RequireInPlan, RejectsOtherShapesAndNamesTheDimension) {
  require_in_plan(kPlan, kShort);
  require_in_plan(kPlan, kLong);
  for (const auto& [signature, message] :
       {std::pair{with_mel(kLong, 641), "mel[1] 640 -> 641"},
        std::pair{with_mel(kShort, 319), "mel[1] 320 -> 319"},
        std::pair{Signature{.batch = 15, .text = 64, .mel = 320}, "mel[0] 16 -> 15"}}) {
    try {
      require_in_plan(kPlan, signature);
      ADD_FAILURE() << "accepted " << data::name_of(signature);
    } catch (const BugError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace myxtts::step
