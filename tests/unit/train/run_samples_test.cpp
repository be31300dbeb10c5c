#include "train/run_samples.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace myxtts::train {
namespace {

std::vector<RunSample> samples_at(const std::vector<std::int64_t>& steps) {
  std::vector<RunSample> samples;
  for (const std::int64_t step : steps)
    samples.push_back({step, "1.wav", ""});
  return samples;
}

std::vector<std::int64_t> steps_of(const std::vector<RunSample>& samples) {
  std::vector<std::int64_t> steps;
  for (const RunSample& sample : samples)
    steps.push_back(sample.step);
  return steps;
}

TEST(RunSamples, AreListedByNameInStepOrder) {
  const support::TempDir dir;
  for (const std::int64_t step : {1000, 50, 200})
    dir.write(sample_path("", step, "1_alignment.png").string(), "png");
  dir.write(sample_path("", 50, "2_alignment.png").string(), "png");
  dir.write("samples/notes.txt", "");
  dir.write("samples/step_.png", "");
  dir.write("samples/step_12", "");

  const std::vector<RunSample> samples = samples_of(dir.path(), "1_alignment.png");

  EXPECT_EQ(steps_of(samples), (std::vector<std::int64_t>{50, 200, 1000}));
  EXPECT_EQ(samples[0].path.filename(), "step_00000050_1_alignment.png");
  EXPECT_TRUE(samples_of(dir.path() / "absent", "1_alignment.png").empty());
}

TEST(RunSamples, SelectsAllIfThereAreFew) {
  EXPECT_EQ(steps_of(select_over_time(samples_at({50, 100, 150}), 6)),
            (std::vector<std::int64_t>{50, 100, 150}));
  EXPECT_TRUE(select_over_time({}, 6).empty());
}

TEST(RunSamples, SelectsFirstLastAndMoreEarlySteps) {
  std::vector<std::int64_t> steps;
  for (std::int64_t step = 50; step <= 1600; step += 50)
    steps.push_back(step);

  EXPECT_EQ(steps_of(select_over_time(samples_at(steps), 6)),
            (std::vector<std::int64_t>{50, 100, 200, 400, 800, 1600}));
}

TEST(RunSamples, SelectsNoSampleTwice) {
  EXPECT_EQ(steps_of(select_over_time(samples_at({1, 2, 1000, 1001, 1002}), 4)),
            (std::vector<std::int64_t>{1, 1000, 1001, 1002}));
}

}  // namespace
}  // namespace myxtts::train
