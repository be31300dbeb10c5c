#include "step/captured_step.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/step/recording_device.h"

namespace xtts::step {
namespace {

using pipeline::name_of;

constexpr pipeline::Signature kSmall{.batch = 4, .text = 8, .mel = 32};
constexpr pipeline::Signature kBig{.batch = 2, .text = 16, .mel = 64};

pipeline::Batch update_of(const pipeline::Signature& signature, const Calls& names) {
  pipeline::Batch update;
  for (const std::string& name : names) {
    update.micro_batches.push_back(pipeline::empty_batch(signature, 1, 1, 0.0F));
    update.micro_batches.back().ids[0] = name;
  }
  update.counts.frames = 100;
  return update;
}

Calls operator+(Calls one, const Calls& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

// What makes the update ready, and what makes a signature ready.
const Calls kUpdateReady = {
    "run: spoil", "warm up: update", "warm up: update", "warm up: update", "capture: update"};

Calls ready(const pipeline::Signature& signature) {
  const std::string name = name_of(signature);
  return {"make inputs " + name,
          "warm up: forward " + name,
          "warm up: forward " + name,
          "warm up: forward " + name,
          "capture: forward " + name};
}

// One update of one batch, with inputs and report in slots of the same number.
Calls queued(int slot, const std::string& name, const pipeline::Signature& signature) {
  return {fmt::format("stage {}: fill {} with {}", slot, slot, name),
          "run: numbers 0.5 2 100, clear",
          fmt::format("take {}: {} to {}", slot, slot, name_of(signature)),
          "replay: forward " + name_of(signature),
          "replay: update",
          fmt::format("send {}: report {}", slot, slot)};
}

Calls read(int slot) {
  return {fmt::format("await {}", slot), fmt::format("read {}", slot)};
}

class CapturedStepTest : public testing::Test {
 protected:
  std::optional<LateReport> run(const pipeline::Signature& signature,
                                const Calls& names,
                                std::int64_t number) {
    recorder_.next_report = {.loss = static_cast<double>(number)};
    return step_.run(update_of(signature, names), number, 0.5, 2.0);
  }

  // Both signatures have been run once, and all reports are read. Slots are back at 0.
  void warm() {
    run(kSmall, {"x"}, 1);
    run(kBig, {"y"}, 2);
    step_.flush();
    recorder_.take_calls();
  }

  Recorder recorder_;
  CapturedStep step_{recorder_, recorder_, {kSmall, kBig}};
};

TEST_F(CapturedStepTest, EachSignatureIsCapturedAtItsFirstUseAndTheUpdateOnce) {
  EXPECT_FALSE(step_.is_captured(kSmall));
  EXPECT_FALSE(run(kSmall, {"a"}, 1).has_value());
  EXPECT_EQ(recorder_.take_calls(), kUpdateReady + ready(kSmall) + queued(0, "a", kSmall));

  const std::optional<LateReport> first = run(kBig, {"b"}, 2);
  EXPECT_EQ(recorder_.take_calls(), ready(kBig) + queued(1, "b", kBig) + read(0));
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->step, 1);
  EXPECT_EQ(first->report.loss, 1.0);

  const std::optional<LateReport> second = run(kSmall, {"c"}, 3);
  EXPECT_EQ(recorder_.take_calls(), queued(0, "c", kSmall) + read(1));
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->step, 2);
  EXPECT_EQ(second->report.loss, 2.0);
  EXPECT_TRUE(step_.is_captured(kSmall) && step_.is_captured(kBig));
  EXPECT_TRUE(step_.failures().empty());
}

TEST_F(CapturedStepTest, WhatWasPreparedBeforeStepOneIsOnlyReplayed) {
  step_.prepare(kBig);
  step_.prepare(kSmall);
  step_.prepare(kBig);
  EXPECT_EQ(recorder_.take_calls(), kUpdateReady + ready(kBig) + ready(kSmall));

  run(kBig, {"a"}, 1);
  EXPECT_EQ(recorder_.take_calls().front(), "stage 0: fill 0 with a");
}

// Inputs of the next micro-batch are under way as soon as the graph before it is queued; the
// gradients of all are added up, and updated once.
TEST_F(CapturedStepTest, MicroBatchesAreStagedOneAheadAndUpdatedOnce) {
  warm();
  run(kSmall, {"a", "b", "c"}, 3);
  EXPECT_EQ(recorder_.take_calls(),
            (Calls{"stage 0: fill 0 with a",
                   "run: numbers 0.5 2 100, clear",
                   "take 0: 0 to 4x8x32",
                   "replay: forward 4x8x32",
                   "stage 1: fill 1 with b",
                   "take 1: 1 to 4x8x32",
                   "replay: forward 4x8x32",
                   "stage 0: fill 0 with c",
                   "take 0: 0 to 4x8x32",
                   "replay: forward 4x8x32",
                   "replay: update",
                   "send 0: report 0"}));
}

// The host has not waited for an update when it stages the inputs of the next: copying and
// computing overlap. The slot it copies into is the one that was taken two inputs ago.
TEST_F(CapturedStepTest, TheNextInputIsStagedWhileTheUpdateBeforeIsComputed) {
  warm();
  run(kSmall, {"a"}, 3);
  run(kSmall, {"b"}, 4);

  const Calls calls = recorder_.take_calls();
  const auto place = [&](const std::string& call) {
    return std::ranges::find(calls, call) - calls.begin();
  };
  EXPECT_LT(place("send 0: report 0"), place("stage 1: fill 1 with b"));
  EXPECT_LT(place("stage 1: fill 1 with b"), place("await 0"));
  EXPECT_LT(place("send 1: report 1"), place("await 0"));
  EXPECT_EQ(std::ranges::count(calls, "await 1"), 0);
}

TEST_F(CapturedStepTest, AReportSaysHowLongItsInputsTookToStage) {
  recorder_.seconds_to_fill = 0.02;
  run(kSmall, {"a", "b"}, 1);
  const std::optional<LateReport> first = run(kSmall, {"c"}, 2);
  const std::optional<LateReport> second = step_.flush();

  ASSERT_TRUE(first && second);
  EXPECT_GE(first->report.copy_s, 0.04);
  EXPECT_GE(second->report.copy_s, 0.02);
}

// Three may wait. They are copied as slots become free, and taken in their order.
TEST(CapturedStepAhead, LaterUpdatesAreStagedBeforeTheyAreRun) {
  Recorder recorder;
  CapturedStep step(recorder, recorder, {kSmall, kBig}, 3);
  step.prepare(kSmall);
  step.prepare(kBig);
  const pipeline::Batch first = update_of(kSmall, {"a"});
  const pipeline::Batch second = update_of(kBig, {"b", "c"});
  const pipeline::Batch third = update_of(kSmall, {"d", "e"});
  recorder.take_calls();

  step.run(first, 1, 0.5, 2.0);
  EXPECT_EQ(recorder.take_calls(), queued(0, "a", kSmall));
  step.stage_ahead(second);
  step.stage_ahead(third);
  EXPECT_EQ(recorder.take_calls(),
            (Calls{"stage 1: fill 1 with b", "stage 2: fill 2 with c", "stage 3: fill 3 with d"}));

  step.run(second, 2, 0.5, 2.0);
  EXPECT_EQ(recorder.take_calls(),
            (Calls{"run: numbers 0.5 2 100, clear",
                   "take 1: 1 to 2x16x64",
                   "replay: forward 2x16x64",
                   "stage 0: fill 0 with e",
                   "take 2: 2 to 2x16x64",
                   "replay: forward 2x16x64",
                   "replay: update",
                   "send 1: report 1",
                   "await 0",
                   "read 0"}));

  step.run(third, 3, 0.5, 2.0);
  const Calls last = recorder.take_calls();
  EXPECT_EQ(last[1], "take 3: 3 to 4x8x32");
  EXPECT_EQ(last[3], "take 0: 0 to 4x8x32");
}

TEST(CapturedStepAhead, WhatIsForgottenIsNotTaken) {
  Recorder recorder;
  CapturedStep step(recorder, recorder, {kSmall}, 2);
  step.prepare(kSmall);
  const pipeline::Batch ahead = update_of(kSmall, {"a", "b", "c"});
  const pipeline::Batch other = update_of(kSmall, {"d"});
  step.stage_ahead(ahead);
  EXPECT_THROW(step.run(other, 1, 0.5, 2.0), BugError);  // not the one that comes next

  step.forget_ahead();
  recorder.take_calls();
  step.run(other, 1, 0.5, 2.0);

  const Calls calls = recorder.take_calls();
  EXPECT_EQ(calls[0], "stage 2: fill 2 with d");
  EXPECT_EQ(calls[2], "take 2: 2 to 4x8x32");
}

TEST_F(CapturedStepTest, AnUpdateThatIsNotFiniteTakesTheSameWayAndIsKnownOneUpdateLater) {
  warm();
  recorder_.next_report = {
      .loss = 1.0, .grad_norm = std::numeric_limits<double>::infinity(), .not_finite = "gradient"};
  EXPECT_FALSE(step_.run(update_of(kSmall, {"bad"}), 3, 0.5, 2.0).has_value());
  EXPECT_EQ(recorder_.take_calls(), queued(0, "bad", kSmall));
  EXPECT_EQ(step_.num_skipped(), 0);

  const std::optional<LateReport> late = run(kSmall, {"good"}, 4);
  ASSERT_TRUE(late.has_value());
  EXPECT_EQ(late->step, 3);
  EXPECT_EQ(late->report.not_finite, "gradient");
  EXPECT_EQ(step_.num_skipped(), 1);
  EXPECT_EQ(step_.flush()->report.not_finite, "");
  EXPECT_EQ(step_.num_skipped(), 1);
}

TEST_F(CapturedStepTest, AFlushReadsTheLastReportOnce) {
  EXPECT_FALSE(step_.flush().has_value());
  warm();
  run(kSmall, {"a"}, 3);
  recorder_.take_calls();

  const std::optional<LateReport> last = step_.flush();
  ASSERT_TRUE(last.has_value());
  EXPECT_EQ(last->step, 3);
  EXPECT_EQ(last->report.loss, 3.0);
  EXPECT_EQ(recorder_.take_calls(), read(0));

  EXPECT_FALSE(step_.flush().has_value());
  EXPECT_FALSE(run(kSmall, {"b"}, 4).has_value());  // nothing is read twice
  EXPECT_EQ(recorder_.take_calls().back(), "send 1: report 1");
}

TEST_F(CapturedStepTest, ASignatureThatCannotBeCapturedRunsOperatorByOperatorAndIsNamedOnce) {
  recorder_.refused = {"forward 4x8x32"};
  run(kSmall, {"a"}, 1);
  recorder_.take_calls();
  run(kSmall, {"b"}, 2);
  EXPECT_EQ(recorder_.take_calls(),
            (Calls{"stage 1: fill 1 with b",
                   "run: numbers 0.5 2 100, clear",
                   "take 1: 1 to 4x8x32",
                   "run: forward 4x8x32",
                   "replay: update",
                   "send 1: report 1",
                   "await 0",
                   "read 0"}));
  run(kBig, {"c"}, 3);
  const Calls others = recorder_.take_calls();
  EXPECT_EQ(std::ranges::count(others, "replay: forward 2x16x64"), 1);

  ASSERT_EQ(step_.failures().size(), 1U);
  EXPECT_EQ(step_.failures()[0].what, "4x8x32");
  EXPECT_EQ(step_.failures()[0].reason, "operation not permitted when capturing");
  EXPECT_FALSE(step_.is_captured(kSmall));
  EXPECT_TRUE(step_.is_captured(kBig));
}

TEST_F(CapturedStepTest, AnUpdateThatCannotBeCapturedRunsOperatorByOperatorForAllSignatures) {
  recorder_.refused = {"update"};
  warm();
  run(kSmall, {"a"}, 3);
  EXPECT_EQ(recorder_.take_calls(),
            (Calls{"stage 0: fill 0 with a",
                   "run: numbers 0.5 2 100, clear",
                   "take 0: 0 to 4x8x32",
                   "replay: forward 4x8x32",
                   "run: update",
                   "send 0: report 0"}));
  ASSERT_EQ(step_.failures().size(), 1U);
  EXPECT_EQ(step_.failures()[0].what, "update");
}

TEST_F(CapturedStepTest, ABatchOutsideOfThePlanIsRefusedByTheNameOfItsDimension) {
  const std::vector<std::pair<pipeline::Signature, std::string>> cases = {
      {{.batch = 4, .text = 8, .mel = 33}, "4x8x33 is not in the plan: mel[1] 32 -> 33"},
      {{.batch = 2, .text = 15, .mel = 64}, "2x15x64 is not in the plan: text[1] 16 -> 15"},
      {{.batch = 3, .text = 16, .mel = 64}, "3x16x64 is not in the plan: mel[0] 2 -> 3"}};
  for (const auto& [signature, words] : cases) {
    try {
      run(signature, {"a"}, 1);
      ADD_FAILURE() << name_of(signature) << " was taken";
    } catch (const BugError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  }
  EXPECT_TRUE(recorder_.take_calls().empty());  // nothing is queued, not even for what fits

  pipeline::Batch mixed = update_of(kSmall, {"a", "b"});
  mixed.micro_batches[1].signature.mel = 31;
  EXPECT_THROW(step_.run(mixed, 1, 0.5, 2.0), BugError);
  EXPECT_TRUE(recorder_.take_calls().empty());
}

}  // namespace
}  // namespace xtts::step
