#include "train/metrics_tail.h"

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "support/temp_dir.h"
#include "train/metrics_log.h"

namespace myxtts::train {
namespace {

StepMetrics metrics_of_step(std::int64_t step, double step_s = 0.5) {
  return {.step = step,
          .epoch = step / 10,
          .loss = 1.0 / static_cast<double>(step),
          .parts = {{"mel", 0.25}, {"prior", 0.5}},
          .grad_norm = 0.7,
          .lr = 1e-3,
          .step_s = step_s,
          .wait_s = 0.1,
          .host_s = 0.02,
          .buffer_depth = 42,
          .signature = "16x120x640",
          .retraces = step >= 3 ? 2 : 0};
}

class MetricsTailTest : public testing::Test {
 protected:
  void write(std::int64_t first, std::int64_t last, double step_s = 0.5) {
    std::ofstream file(path(), std::ios::app);
    for (std::int64_t step = first; step <= last; ++step)
      file << metrics_line(metrics_of_step(step, step_s)) << '\n';
  }
  void append(const std::string& bytes) { std::ofstream(path(), std::ios::app) << bytes; }
  std::filesystem::path path() const { return dir_.path() / "metrics.jsonl"; }

  support::TempDir dir_;
};

std::vector<std::int64_t> steps_of(const MetricsTail& tail) {
  std::vector<std::int64_t> steps;
  for (const TailedStep& one : tail.steps())
    steps.push_back(one.step);
  return steps;
}

using Steps = std::vector<std::int64_t>;

TEST_F(MetricsTailTest, ReadsEveryNumberOfAStep) {
  write(1, 3);
  MetricsTail tail(path());

  ASSERT_TRUE(tail.poll());

  ASSERT_EQ(steps_of(tail), (Steps{1, 2, 3}));
  const TailedStep& last = tail.steps().back();
  EXPECT_EQ(last.loss, 1.0 / 3);
  EXPECT_EQ(last.parts, (decltype(last.parts){{"mel", 0.25}, {"prior", 0.5}}));
  EXPECT_EQ(last.grad_norm, 0.7);
  EXPECT_EQ(last.lr, 1e-3);
  EXPECT_EQ(last.times.step_s, 0.5);
  EXPECT_EQ(last.times.wait_s, 0.1);
  EXPECT_EQ(last.times.host_s, 0.02);
  EXPECT_EQ(last.times.copy_s, 0.0);
  EXPECT_EQ(last.times.buffer_depth, 42);
  EXPECT_EQ(last.times.epoch, 0);
  EXPECT_EQ(last.times.signature, "16x120x640");
  EXPECT_FALSE(last.skipped);
}

TEST_F(MetricsTailTest, AttributesRetracesToSteps) {
  write(1, 4);
  MetricsTail tail(path());
  tail.poll();

  EXPECT_EQ(tail.steps()[1].times.retraces, 0);
  EXPECT_EQ(tail.steps()[2].times.retraces, 2);
  EXPECT_EQ(tail.steps()[3].times.retraces, 0);
  EXPECT_EQ(tail.steps()[3].retraces, 2);
}

TEST_F(MetricsTailTest, ReadsAppendedLines) {
  MetricsTail tail(path());
  EXPECT_FALSE(tail.poll());

  write(1, 2);
  ASSERT_TRUE(tail.poll());
  const std::string line = metrics_line(metrics_of_step(3)) + '\n';
  append(line.substr(0, 30));
  tail.poll();
  EXPECT_EQ(steps_of(tail), (Steps{1, 2}));
  append(line.substr(30));
  tail.poll();
  EXPECT_EQ(steps_of(tail), (Steps{1, 2, 3}));
  EXPECT_EQ(tail.num_unreadable(), 0);
}

TEST_F(MetricsTailTest, IgnoresJudgements) {
  write(1, 3);
  {
    MetricsLog(path(), 3, 3).write_judgement({.step = 3, .judgement = {.numbers = {{"mos", 4.0}}}});
  }
  MetricsTail tail(path());
  tail.poll();

  ASSERT_EQ(steps_of(tail), (Steps{1, 2, 3}));
  EXPECT_EQ(tail.steps()[2].times.step_s, 0.5);
  EXPECT_EQ(tail.num_unreadable(), 0);
}

TEST_F(MetricsTailTest, ReadsTheFileAgainAfterAResume) {
  write(1, 9);
  MetricsTail tail(path());
  tail.poll();

  { const MetricsLog log(path(), 4, 4); }
  tail.poll();
  EXPECT_EQ(steps_of(tail), (Steps{1, 2, 3, 4}));
}

TEST_F(MetricsTailTest, DetectsAResumeEvenIfTheFileHasGrown) {
  write(1, 9);
  MetricsTail tail(path());
  tail.poll();

  { const MetricsLog log(path(), 4, 4); }
  write(5, 20, 0.625);
  tail.poll();

  ASSERT_EQ(tail.steps().size(), 20U);
  EXPECT_EQ(tail.steps()[3].times.step_s, 0.5);
  EXPECT_EQ(tail.steps()[4].times.step_s, 0.625);
  EXPECT_EQ(tail.num_unreadable(), 0);
}

TEST_F(MetricsTailTest, ReportsAMissingFile) {
  write(1, 2);
  MetricsTail tail(path());
  tail.poll();
  std::filesystem::remove(path());

  EXPECT_FALSE(tail.poll());
}

TEST_F(MetricsTailTest, KeepsOnlyTheLastSteps) {
  write(1, 50);
  MetricsTail few_steps(path(), 5);
  MetricsTail few_bytes(path(), 4096, 1000);

  few_steps.poll();
  few_bytes.poll();

  EXPECT_EQ(steps_of(few_steps), (Steps{46, 47, 48, 49, 50}));
  ASSERT_FALSE(few_bytes.steps().empty());
  EXPECT_LT(few_bytes.steps().size(), 6U);
  EXPECT_EQ(few_bytes.steps().back().step, 50);
  EXPECT_EQ(few_bytes.num_unreadable(), 0);
  EXPECT_EQ(few_bytes.steps().front().times.retraces, 0);  // the count before it is unknown
}

TEST_F(MetricsTailTest, SeparatesValidationsFromSteps) {
  write(1, 2);
  append("{\"step\":2,\"validation_loss\":0.75,\"validation_mel\":0.5}\n");
  write(3, 3);
  MetricsTail tail(path());
  tail.poll();

  EXPECT_EQ(steps_of(tail), (Steps{1, 2, 3}));
  ASSERT_TRUE(tail.validation().has_value());
  EXPECT_EQ(tail.validation()->step, 2);
  EXPECT_EQ(tail.validation()->loss, 0.75);
}

TEST_F(MetricsTailTest, CountsAndIgnoresOtherLines) {
  append("garbage\n[1]\n{\"step\":\"one\"}\n{}\n\n");
  append("{\"step\":1,\"loss\":null,\"loss_mel\":\"x\",\"wait_s\":[],\"signature\":3}\n");
  MetricsTail tail(path());
  tail.poll();

  EXPECT_EQ(tail.num_unreadable(), 5);
  ASSERT_EQ(steps_of(tail), (Steps{1}));
  EXPECT_TRUE(std::isnan(tail.steps()[0].loss));
  EXPECT_EQ(tail.steps()[0].times.wait_s, std::nullopt);
}

}  // namespace
}  // namespace myxtts::train
