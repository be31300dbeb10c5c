#include "step/captured_step.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/step/recording_device.h"

namespace myxtts::step {
namespace {

using data::name_of;

constexpr data::Signature kSmall{.batch = 4, .text = 8, .mel = 32};
constexpr data::Signature kBig{.batch = 2, .text = 16, .mel = 64};

data::Batch make_batch(const data::Signature& signature, const Calls& names) {
  data::Batch batch;
  for (const std::string& name : names) {
    batch.micro_batches.push_back(data::empty_micro_batch(signature, 1, 1, 0.0F));
    batch.micro_batches.back().ids[0] = name;
  }
  batch.counts.frames = 100;
  return batch;
}

Calls operator+(Calls one, const Calls& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

// Calls that prepare the update.
const Calls kUpdateReady = {
    "run: set to nan", "warm up: update", "warm up: update", "warm up: update", "capture: update"};

// Calls that prepare a signature.
Calls ready(const data::Signature& signature) {
  const std::string name = name_of(signature);
  return {"make inputs " + name,
          "warm up: forward " + name,
          "warm up: forward " + name,
          "warm up: forward " + name,
          "capture: forward " + name};
}

// Calls of one step with one micro-batch, whose input and report slots have the same number.
Calls queued(int slot, const std::string& name, const data::Signature& signature) {
  return {fmt::format("stage {}: fill {} with {}", slot, slot, name),
          "run: scalars 0.5 2 100, clear",
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
  std::optional<LateReport> run(const data::Signature& signature,
                                const Calls& names,
                                std::int64_t number) {
    recorder_.next_report = {.loss = static_cast<double>(number)};
    return step_.run(make_batch(signature, names), number, 0.5, 2.0);
  }

  // Runs both signatures once and reads all reports. The next slots are 0.
  void warm() {
    run(kSmall, {"x"}, 1);
    run(kBig, {"y"}, 2);
    step_.flush();
    recorder_.take_calls();
  }

  Recorder recorder_;
  CapturedStep step_{recorder_, recorder_, {kSmall, kBig}};
};

TEST_F(CapturedStepTest, CapturesEachSignatureOnFirstUseAndTheUpdateOnce) {
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

TEST_F(CapturedStepTest, PreparedSignaturesAreOnlyReplayed) {
  step_.prepare(kBig);
  step_.prepare(kSmall);
  step_.prepare(kBig);
  EXPECT_EQ(recorder_.take_calls(), kUpdateReady + ready(kBig) + ready(kSmall));

  run(kBig, {"a"}, 1);
  EXPECT_EQ(recorder_.take_calls().front(), "stage 0: fill 0 with a");
}

// Inputs of the next micro-batch are staged as soon as the previous graph is queued. Gradients of
// all micro-batches are accumulated.
TEST_F(CapturedStepTest, StagesMicroBatchesOneAheadAndUpdatesOnce) {
  warm();
  run(kSmall, {"a", "b", "c"}, 3);
  EXPECT_EQ(recorder_.take_calls(),
            (Calls{"stage 0: fill 0 with a",
                   "run: scalars 0.5 2 100, clear",
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

// The host does not wait for a step before it stages the inputs of the next, so that copies and
// computation overlap. The slot is the one that was consumed two inputs ago.
TEST_F(CapturedStepTest, StagesTheNextInputWhileThePreviousStepRuns) {
  warm();
  run(kSmall, {"a"}, 3);
  run(kSmall, {"b"}, 4);

  const Calls calls = recorder_.take_calls();
  const auto position = [&](const std::string& call) {
    return std::ranges::find(calls, call) - calls.begin();
  };
  EXPECT_LT(position("send 0: report 0"), position("stage 1: fill 1 with b"));
  EXPECT_LT(position("stage 1: fill 1 with b"), position("await 0"));
  EXPECT_LT(position("send 1: report 1"), position("await 0"));
  EXPECT_EQ(std::ranges::count(calls, "await 1"), 0);
}

TEST_F(CapturedStepTest, ReportsTheCopyTimeOfItsInputs) {
  recorder_.seconds_to_fill = 0.02;
  run(kSmall, {"a", "b"}, 1);
  const std::optional<LateReport> first = run(kSmall, {"c"}, 2);
  const std::optional<LateReport> second = step_.flush();

  ASSERT_TRUE(first && second);
  EXPECT_GE(first->report.copy_s, 0.04);
  EXPECT_GE(second->report.copy_s, 0.02);
}

// Up to three micro-batches are staged. They are copied when slots become free and consumed in
// order.
TEST(CapturedStepAhead, StagesLaterBatchesBeforeTheyRun) {
  Recorder recorder;
  CapturedStep step(recorder, recorder, {kSmall, kBig}, 3);
  step.prepare(kSmall);
  step.prepare(kBig);
  const data::Batch first = make_batch(kSmall, {"a"});
  const data::Batch second = make_batch(kBig, {"b", "c"});
  const data::Batch third = make_batch(kSmall, {"d", "e"});
  recorder.take_calls();

  step.run(first, 1, 0.5, 2.0);
  EXPECT_EQ(recorder.take_calls(), queued(0, "a", kSmall));
  step.stage_ahead(second);
  step.stage_ahead(third);
  EXPECT_EQ(recorder.take_calls(),
            (Calls{"stage 1: fill 1 with b", "stage 2: fill 2 with c", "stage 3: fill 3 with d"}));

  step.run(second, 2, 0.5, 2.0);
  EXPECT_EQ(recorder.take_calls(),
            (Calls{"run: scalars 0.5 2 100, clear",
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

TEST(CapturedStepAhead, DiscardedBatchesAreNotConsumed) {
  Recorder recorder;
  CapturedStep step(recorder, recorder, {kSmall}, 2);
  step.prepare(kSmall);
  const data::Batch ahead = make_batch(kSmall, {"a", "b", "c"});
  const data::Batch other = make_batch(kSmall, {"d"});
  step.stage_ahead(ahead);
  EXPECT_THROW(step.run(other, 1, 0.5, 2.0), BugError);  // is not the next batch

  step.discard_staged();
  recorder.take_calls();
  step.run(other, 1, 0.5, 2.0);

  const Calls calls = recorder.take_calls();
  EXPECT_EQ(calls[0], "stage 2: fill 2 with d");
  EXPECT_EQ(calls[2], "take 2: 2 to 4x8x32");
}

TEST_F(CapturedStepTest, ReportsAStepThatIsNotFiniteOneStepLater) {
  warm();
  recorder_.next_report = {
      .loss = 1.0, .grad_norm = std::numeric_limits<double>::infinity(), .not_finite = "gradient"};
  EXPECT_FALSE(step_.run(make_batch(kSmall, {"bad"}), 3, 0.5, 2.0).has_value());
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

TEST_F(CapturedStepTest, FlushReadsTheLastReportOnce) {
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
  EXPECT_FALSE(run(kSmall, {"b"}, 4).has_value());  // no report is read twice
  EXPECT_EQ(recorder_.take_calls().back(), "send 1: report 1");
}

TEST_F(CapturedStepTest, RunsASignatureEagerlyIfItsCaptureFails) {
  recorder_.uncapturable = {"forward 4x8x32"};
  run(kSmall, {"a"}, 1);
  recorder_.take_calls();
  run(kSmall, {"b"}, 2);
  EXPECT_EQ(recorder_.take_calls(),
            (Calls{"stage 1: fill 1 with b",
                   "run: scalars 0.5 2 100, clear",
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

TEST_F(CapturedStepTest, RunsTheUpdateEagerlyIfItsCaptureFails) {
  recorder_.uncapturable = {"update"};
  warm();
  run(kSmall, {"a"}, 3);
  EXPECT_EQ(recorder_.take_calls(),
            (Calls{"stage 0: fill 0 with a",
                   "run: scalars 0.5 2 100, clear",
                   "take 0: 0 to 4x8x32",
                   "replay: forward 4x8x32",
                   "run: update",
                   "send 0: report 0"}));
  ASSERT_EQ(step_.failures().size(), 1U);
  EXPECT_EQ(step_.failures()[0].what, "update");
}

TEST_F(CapturedStepTest, RejectsBatchesOutsideOfThePlanAndNamesTheDimension) {
  const std::vector<std::pair<data::Signature, std::string>> cases = {
      {{.batch = 4, .text = 8, .mel = 33}, "4x8x33 is not in the plan: mel[1] 32 -> 33"},
      {{.batch = 2, .text = 15, .mel = 64}, "2x15x64 is not in the plan: text[1] 16 -> 15"},
      {{.batch = 3, .text = 16, .mel = 64}, "3x16x64 is not in the plan: mel[0] 2 -> 3"}};
  for (const auto& [signature, message] : cases) {
    try {
      run(signature, {"a"}, 1);
      ADD_FAILURE() << name_of(signature) << " was accepted";
    } catch (const BugError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
  EXPECT_TRUE(recorder_.take_calls().empty());  // nothing is queued

  data::Batch mixed = make_batch(kSmall, {"a", "b"});
  mixed.micro_batches[1].signature.mel = 31;
  EXPECT_THROW(step_.run(mixed, 1, 0.5, 2.0), BugError);
  EXPECT_TRUE(recorder_.take_calls().empty());
}

}  // namespace
}  // namespace myxtts::step
