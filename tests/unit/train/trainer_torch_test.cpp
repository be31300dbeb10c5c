#include "train/trainer_torch.h"

#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "support/temp_dir.h"
#include "unit/corpus/corpus_folder.h"
#include "unit/model/small_model_torch.h"
#include "unit/step/immediate_device.h"

namespace myxtts::train {
namespace {

// A corpus of hums and requests for short training runs on it.
struct HumCorpus {
  HumCorpus() {
    std::string metadata;
    for (int i = 0; i < 24; ++i) {
      const std::string id = "u" + std::to_string(i);
      metadata += id + "|la la la\n";
      dir.write("wavs/" + id + ".wav", corpus::hum_wav(0.3 + 0.02 * (i % 9)));
    }
    dir.write("metadata.csv", metadata);
  }

  // Validations and checkpoints fall between steps whose reports are pending.
  TrainRequest request(const std::string& run, int max_steps, bool captured) const {
    config::Config config = corpus::grapheme_config();
    const int n_mels = config.model.n_mels;
    config.model = model::small_config();
    config.model.n_mels = n_mels;
    config.data.dataset_path = dir.path().string();
    config.data.batch_size = 4;
    config.data.val_split = 0.25;
    config.data.num_workers = 0;
    config.training.checkpoint_dir = (dir.path() / run).string();
    config.training.precision = "fp32";
    config.training.max_steps = max_steps;
    config.training.schedule_steps = 100;
    config.training.val_step = 4;
    config.training.save_step = 5;
    config.training.spectrogram_log_interval = 0;
    config.training.enable_text2audio_eval = false;
    TrainRequest request;
    request.resolved.config = std::move(config);
    if (captured) {
      request.open_graph_device = [] { return std::make_unique<step::ImmediateDevice>(); };
    }
    return request;
  }

  // Returns step and loss of the steps in metrics.jsonl.
  std::vector<std::pair<int, double>> steps_of(const std::string& run) const {
    std::vector<std::pair<int, double>> steps;
    std::ifstream file(dir.path() / run / "metrics.jsonl");
    for (std::string line; std::getline(file, line);) {
      const nlohmann::json one = nlohmann::json::parse(line);
      if (one.contains("grad_norm")) steps.emplace_back(one["step"], one["loss"]);
    }
    return steps;
  }

  support::TempDir dir;
};

TrainSummary train_quietly(const TrainRequest& request) {
  testing::internal::CaptureStderr();
  TrainSummary summary = train(request);
  testing::internal::GetCapturedStderr();
  return summary;
}

TEST(Train, CapturedRunWritesTheMetricsOfTheEagerRun) {
  const HumCorpus hums;
  const TrainSummary eager = train_quietly(hums.request("eager", 14, false));
  const TrainSummary late = train_quietly(hums.request("late", 14, true));

  const auto expected = hums.steps_of("eager");
  const auto found = hums.steps_of("late");
  ASSERT_EQ(expected.size(), 14U);
  ASSERT_EQ(found.size(), 14U);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found[i].first, static_cast<int>(i) + 1);
    EXPECT_NEAR(found[i].second, expected[i].second, 1e-4 * expected[i].second) << i;
  }
  EXPECT_EQ(late.steps, 14);
  ASSERT_TRUE(eager.validation_loss && late.validation_loss);
  EXPECT_NEAR(*late.validation_loss, *eager.validation_loss, 1e-4 * *eager.validation_loss);
}

TEST(Train, CapturedRunResumesExactly) {
  const HumCorpus hums;
  train_quietly(hums.request("whole", 12, true));
  train_quietly(hums.request("halves", 7, true));
  train_quietly(hums.request("halves", 12, true));

  const auto expected = hums.steps_of("whole");
  ASSERT_EQ(expected.size(), 12U);
  EXPECT_EQ(hums.steps_of("halves"), expected);
}

// With workers the next batches are staged on the device; without workers none is staged.
TEST(Train, StagingDoesNotChangeTheBatches) {
  const HumCorpus hums;
  TrainRequest staged = hums.request("staged", 12, true);
  TrainRequest inline_loading = hums.request("inline", 12, true);
  for (TrainRequest* request : {&staged, &inline_loading})
    request->resolved.config.training.gradient_accumulation_steps = 2;
  staged.resolved.config.data.num_workers = 2;
  staged.resolved.config.data.prefetch_buffer_size = 3;
  train_quietly(staged);
  train_quietly(inline_loading);

  const auto expected = hums.steps_of("inline");
  ASSERT_EQ(expected.size(), 12U);
  EXPECT_EQ(hums.steps_of("staged"), expected);
}

// Batches that are staged when a run ends were not used. With a small buffer the number of staged
// batches varies.
TEST(Train, StagedBatchesAreUsedAfterAResume) {
  const HumCorpus hums;
  TrainRequest halves = hums.request("halves", 7, true);
  halves.resolved.config.data.num_workers = 2;
  halves.resolved.config.data.pipeline_buffer_size = 1;
  train_quietly(hums.request("whole", 12, true));
  train_quietly(halves);
  halves.resolved.config.training.max_steps = 12;
  train_quietly(halves);

  const auto expected = hums.steps_of("whole");
  ASSERT_EQ(expected.size(), 12U);
  EXPECT_EQ(hums.steps_of("halves"), expected);
}

// The weights diverge at once, so every rollback to the checkpoint ends the same way.
TEST(Train, CapturedRunRollsBackAndFinallyFails) {
  const HumCorpus hums;
  TrainRequest request = hums.request("diverged", 40, true);
  request.resolved.config.data.num_workers = 1;
  request.resolved.config.training.learning_rate = 1e30;
  request.resolved.config.training.min_learning_rate = 1e30;
  request.resolved.config.training.warmup_steps = 0;
  request.resolved.config.training.max_bad_steps = 3;
  request.resolved.config.training.save_step = 1;
  request.resolved.config.training.val_step = 0;
  testing::internal::CaptureStderr();
  std::string message;
  try {
    train(request);
  } catch (const UserError& error) {
    message = error.what();
  }
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(message.find("3 consecutive steps were not finite"), std::string::npos) << message;
  EXPECT_NE(message.find("after 3 restores of the newest valid checkpoint"), std::string::npos)
      << message;
  EXPECT_FALSE(log.empty());
}

// Returns the error message of a failure in step 3, after the checkpoint of step 2.
std::string error_of(TrainRequest request, const std::function<void()>& fault) {
  request.resolved.config.training.save_step = 2;
  request.before_step = [fault](std::int64_t step) {
    if (step == 3) fault();
  };
  testing::internal::CaptureStderr();
  std::string message;
  try {
    train(request);
  } catch (const std::exception& error) {
    message = error.what();
  }
  testing::internal::GetCapturedStderr();
  return message;
}

TEST(Train, ErrorNamesTheStepTheDeviceAndTheCheckpoint) {
  const HumCorpus hums;
  const TrainRequest request = hums.request("failed", 6, false);
  const std::string message =
      error_of(request, [] { throw std::runtime_error("device lost\nat frame 12"); });
  EXPECT_EQ(
      message,
      "step 3 failed on cpu (checkpoint saved at step 2; the same command resumes from it): device "
      "lost");
  const std::string bug = error_of(request, [] { throw BugError("x.cpp:1: broken"); });
  EXPECT_TRUE(bug.starts_with("step 3 failed on cpu (checkpoint saved at step 2")) << bug;
  EXPECT_TRUE(bug.ends_with(": x.cpp:1: broken")) << bug;

  train_quietly(hums.request("failed", 6, false));
  train_quietly(hums.request("whole", 6, false));
  EXPECT_EQ(hums.steps_of("failed"), hums.steps_of("whole"));
}

TEST(Train, HungStepIsLoggedAndEndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const HumCorpus hums;
  TrainRequest request = hums.request("hung", 6, false);
  request.resolved.config.training.save_step = 2;
  request.resolved.config.training.hang_minutes = 5.5 / 60;
  request.before_step = [](std::int64_t step) {
    if (step == 3) std::this_thread::sleep_for(std::chrono::hours(1));
  };
  EXPECT_EXIT(train(request),
              testing::ExitedWithCode(1),
              "step 3 has run for [4-9]\\.[0-9] s \\(longest before: .*"
              "myxtts: step 3 has run for .*; the run is abandoned");

  train_quietly(hums.request("hung", 6, false));
  train_quietly(hums.request("whole", 6, false));
  EXPECT_EQ(hums.steps_of("hung"), hums.steps_of("whole"));
}

}  // namespace
}  // namespace myxtts::train
