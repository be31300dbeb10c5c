#include "diagnose/short_run.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/temp_dir.h"
#include "train/metrics_log.h"

namespace myxtts::diagnose {
namespace {

TEST(ShortRun, WritesNothingOutsideItsFolder) {
  config::Resolved resolved;
  resolved.config.training.checkpoint_dir = "runs/precious";
  resolved.config.training.metrics_file = "elsewhere.jsonl";
  resolved.config.training.tensorboard_log_dir = "board";
  resolved.config.training.max_minutes = 90.0;

  const train::TrainRequest request = short_run(resolved, "somewhere", 10);

  const config::TrainingConfig& training = request.resolved.config.training;
  EXPECT_EQ(training.checkpoint_dir, "somewhere");
  EXPECT_FALSE(training.metrics_file);
  EXPECT_FALSE(training.tensorboard_log_dir);
  EXPECT_FALSE(training.max_minutes);
  EXPECT_EQ(training.max_steps, 10);
  EXPECT_FALSE(training.enable_text2audio_eval);
  EXPECT_FALSE(request.reset_training);
}

TEST(ReadRunSteps, ComputesRetracesPerStep) {
  const support::TempDir dir;
  const auto file = dir.path() / "metrics.jsonl";
  {
    train::MetricsLog log(file, 0, 0);
    int step = 0;
    for (const int retraces : {0, 1, 1, 3}) {
      log.write({.step = ++step,
                 .epoch = 2,
                 .loss = 1.5,
                 .step_s = 0.25,
                 .wait_s = 0.5,
                 .host_s = 0.125,
                 .buffer_depth = 7,
                 .signature = "4x8x32",
                 .retraces = retraces});
    }
    log.write_validation(4, 1.0, {});
    log.flush();
  }

  const std::vector<MeasuredStep> steps = read_run_steps(file);

  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(steps[0].measured.retraces, 0);
  EXPECT_EQ(steps[1].measured.retraces, 1);
  EXPECT_EQ(steps[2].measured.retraces, 0);
  EXPECT_EQ(steps[3].measured.retraces, 2);
  EXPECT_EQ(steps[3].loss, 1.5);
  EXPECT_EQ(steps[3].measured.step_s, 0.25);
  EXPECT_EQ(steps[3].measured.wait_s, 0.5);
  EXPECT_EQ(steps[3].measured.host_s, 0.125);
  EXPECT_EQ(steps[3].measured.buffer_depth, 7);
  EXPECT_EQ(steps[3].measured.epoch, 2);
  EXPECT_EQ(steps[3].measured.signature, "4x8x32");
}

TEST(ReadRunSteps, KeepsALossThatIsNotFinite) {
  const support::TempDir dir;
  dir.write("metrics.jsonl", "{\"step\":1,\"loss\":null,\"step_s\":0.5}\nno json\n");

  const std::vector<MeasuredStep> steps = read_run_steps(dir.path() / "metrics.jsonl");

  ASSERT_EQ(steps.size(), 1U);
  EXPECT_TRUE(std::isnan(steps[0].loss));
  EXPECT_THROW(read_run_steps(dir.path() / "missing.jsonl"), UserError);
}

}  // namespace
}  // namespace myxtts::diagnose
