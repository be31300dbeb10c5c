#include <filesystem>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#include <myxtts/train.h>

#include "unit/api/hum_corpus.h"

namespace myxtts {
namespace {

class TrainingTest : public testing::Test {
 protected:
  TrainingOptions options(const std::string& run, std::int64_t max_steps) const {
    return {.corpus = hums_.corpus(),
            .run_folder = hums_.path(run),
            .max_steps = max_steps,
            .settings = HumCorpus::small_settings()};
  }

  HumCorpus hums_;
};

TEST_F(TrainingTest, ReportsEveryStepAndPrintsNothing) {
  std::vector<TrainingProgress> progress;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  TrainingOptions validated = options("run", 3);
  validated.settings.emplace_back("training.val_step", "2");
  Training training(validated);
  const TrainingResult result =
      training.run([&](const TrainingProgress& one) { progress.push_back(one); });

  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_EQ(progress.size(), 3U);
  EXPECT_EQ(progress[2].step, 3);
  EXPECT_EQ(progress[2].total_steps, 3);
  EXPECT_GT(progress[2].loss, 0.0);
  EXPECT_EQ(result.steps, 3);
  EXPECT_FALSE(result.is_stopped);
  EXPECT_EQ(result.final_loss, progress[2].loss);
  EXPECT_TRUE(result.validation_loss);
}

TEST_F(TrainingTest, AStoppedRunIsResumed) {
  Training first(options("run", 6));
  const TrainingResult stopped = first.run([&](const TrainingProgress& one) {
    if (one.step == 2) first.stop();
  });
  std::vector<std::int64_t> steps;
  Training second(options("run", 6));
  const TrainingResult result =
      second.run([&](const TrainingProgress& one) { steps.push_back(one.step); });

  EXPECT_TRUE(stopped.is_stopped);
  EXPECT_EQ(stopped.steps, 2);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{3, 4, 5, 6}));
  EXPECT_EQ(result.steps, 6);
}

TEST_F(TrainingTest, ListsAllProblemsOfTheOptions) {
  TrainingOptions wrong = options("run", 3);
  wrong.settings.emplace_back("data.batch_sise", "4");

  EXPECT_THROW(Training{wrong}, UsageError);
  wrong = options("run", 3);
  wrong.corpus = hums_.path("nothing");
  EXPECT_THROW(Training{wrong}, UsageError);
  wrong = options("run", 3);
  wrong.run_folder.clear();
  EXPECT_THROW(Training{wrong}, UsageError);
}

TEST_F(TrainingTest, AnExceptionOfTheCallbackEndsTheRun) {
  Training training(options("run", 3));

  EXPECT_THROW(training.run([](const TrainingProgress&) { throw std::runtime_error("enough"); }),
               std::runtime_error);
  Training again(options("run", 3));
  EXPECT_EQ(again.run().steps, 3);
}

}  // namespace
}  // namespace myxtts
