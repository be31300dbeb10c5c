#include "cli/top_view.h"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "checkpoint/run_lock.h"
#include "support/has.h"
#include "support/temp_dir.h"
#include "train/metrics_log.h"

namespace myxtts::cli {
namespace {

class RunFollowerTest : public testing::Test {
 protected:
  void write_steps(std::int64_t first, std::int64_t last) {
    std::ofstream file(run() / "metrics.jsonl", std::ios::app);
    for (std::int64_t step = first; step <= last; ++step)
      file << train::metrics_line({.step = step,
                                   .loss = 1.0,
                                   .step_s = 0.4,
                                   .wait_s = 0.1,
                                   .signature = "16x120x640"})
           << '\n';
  }
  const std::filesystem::path& run() const { return dir_.path(); }

  support::TempDir dir_;
};

TEST_F(RunFollowerTest, DetectsWhetherARunIsRunning) {
  write_steps(1, 20);
  RunFollower follower(run());

  {
    const checkpoint::RunLock lock(run());
    EXPECT_EQ(follower.snapshot().status, RunStatus::kRunning);
  }
  EXPECT_EQ(follower.snapshot().status, RunStatus::kStopped);
  dir_.write("summary.json", R"({"steps": 20})");
  EXPECT_EQ(follower.snapshot().status, RunStatus::kFinished);
  write_steps(21, 22);  // the run was resumed and killed
  EXPECT_EQ(follower.snapshot().status, RunStatus::kStopped);
}

TEST_F(RunFollowerTest, ReadsTheSettingsOfTheRun) {
  write_steps(1, 3);
  dir_.write("config.yaml",
             "training:\n  max_steps: 500\n  gradient_accumulation_steps: 3\ndata:\n  batch_size: "
             "24\n  num_workers: 0\n");

  const TopView view = RunFollower(run()).snapshot();

  EXPECT_EQ(view.total_steps, 500);
  EXPECT_EQ(view.record.settings.batch_size, 24);
  EXPECT_EQ(view.record.settings.grad_accum, 3);
  EXPECT_EQ(view.record.settings.num_workers, 0);
  EXPECT_DOUBLE_EQ(view.step_interval_s(), 0.5);
}

TEST_F(RunFollowerTest, AnInvalidConfigurationIsIgnored) {
  write_steps(1, 3);
  dir_.write("config.yaml", "training: [");

  EXPECT_EQ(RunFollower(run()).snapshot().total_steps, std::nullopt);
}

TEST_F(RunFollowerTest, FindsMetricsOutsideOfTheRunFolder) {
  write_steps(1, 3);
  std::filesystem::rename(run() / "metrics.jsonl", run() / "other.jsonl");
  dir_.write("config.yaml",
             "training:\n  metrics_file: " + (run() / "other.jsonl").string() + "\n");

  EXPECT_EQ(RunFollower(run()).snapshot().steps.size(), 3U);
}

TEST_F(RunFollowerTest, DiagnosesOnlyTheLastSteps) {
  write_steps(1, 300);

  EXPECT_EQ(RunFollower(run()).snapshot().record.steps.size(), 200U);
}

TEST_F(RunFollowerTest, ReportsRunsThatCannotBeShown) {
  EXPECT_THROW(RunFollower(run() / "nowhere"), UsageError);
  EXPECT_THROW(RunFollower(run()).snapshot(), UserError);  // no metrics
  {
    const checkpoint::RunLock lock(run());
    EXPECT_TRUE(RunFollower(run()).snapshot().steps.empty());  // expected later
  }
  dir_.write("metrics.jsonl", "\x01\x02\n");
  try {
    RunFollower(run()).snapshot();
    FAIL() << "a damaged file was shown";
  } catch (const UserError& error) {
    EXPECT_TRUE(support::has(error.what(), "damaged"));
  }
  dir_.write("metrics.jsonl", "");
  EXPECT_THROW(RunFollower(run()).snapshot(), UserError);
}

TEST_F(RunFollowerTest, PrintsJson) {
  write_steps(1, 20);
  std::ofstream(run() / "metrics.jsonl", std::ios::app)
      << "{\"step\":20,\"validation_loss\":0.5}\n";

  const nlohmann::ordered_json json = to_json(RunFollower(run()).snapshot());

  EXPECT_EQ(json["status"], "stopped");
  EXPECT_EQ(json["pid"], nullptr);
  EXPECT_EQ(json["last"]["step"], 20);
  EXPECT_EQ(json["last"]["loss"]["total"], 1.0);
  EXPECT_EQ(json["last"]["signature"], "16x120x640");
  EXPECT_EQ(json["validation"]["loss"], 0.5);
  EXPECT_DOUBLE_EQ(json["steps_per_s"].get<double>(), 2.0);
  EXPECT_NEAR(json["time"]["wait"].get<double>(), 0.2, 1e-12);
  EXPECT_EQ(json["limit"], "loading");
  EXPECT_EQ(json["limited_by"], "limited by loading: the model waited 20 % of the time");
  EXPECT_EQ(json["findings"][0]["remedy"],
            "myxtts diagnose bottleneck --config " + (run() / "config.yaml").string());
}

}  // namespace
}  // namespace myxtts::cli
