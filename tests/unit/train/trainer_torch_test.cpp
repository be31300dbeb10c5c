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

namespace xtts::train {
namespace {

// A corpus of hums and the configuration of a short training on it.
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

  // Validations and saves fall between updates whose reports have not come.
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

  // The lines of metrics.jsonl that are updates: step and loss.
  std::vector<std::pair<int, double>> updates_of(const std::string& run) const {
    std::vector<std::pair<int, double>> updates;
    std::ifstream file(dir.path() / run / "metrics.jsonl");
    for (std::string line; std::getline(file, line);) {
      const nlohmann::json one = nlohmann::json::parse(line);
      if (one.contains("grad_norm")) updates.emplace_back(one["step"], one["loss"]);
    }
    return updates;
  }

  support::TempDir dir;
};

TrainSummary train_quietly(const TrainRequest& request) {
  testing::internal::CaptureStderr();
  TrainSummary summary = train(request);
  testing::internal::GetCapturedStderr();
  return summary;
}

TEST(Train, WithReportsOneUpdateLateWritesWhatTheEagerRunWrites) {
  const HumCorpus hums;
  const TrainSummary plain = train_quietly(hums.request("plain", 14, false));
  const TrainSummary late = train_quietly(hums.request("late", 14, true));

  const auto expected = hums.updates_of("plain");
  const auto found = hums.updates_of("late");
  ASSERT_EQ(expected.size(), 14U);
  ASSERT_EQ(found.size(), 14U);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found[i].first, static_cast<int>(i) + 1);
    EXPECT_NEAR(found[i].second, expected[i].second, 1e-4 * expected[i].second) << i;
  }
  EXPECT_EQ(late.steps, 14);
  ASSERT_TRUE(plain.validation_loss && late.validation_loss);
  EXPECT_NEAR(*late.validation_loss, *plain.validation_loss, 1e-4 * *plain.validation_loss);
}

TEST(Train, WithReportsOneUpdateLateGoesOnAsIfItHadNeverStopped) {
  const HumCorpus hums;
  train_quietly(hums.request("whole", 12, true));
  train_quietly(hums.request("halves", 7, true));
  train_quietly(hums.request("halves", 12, true));

  const auto expected = hums.updates_of("whole");
  ASSERT_EQ(expected.size(), 12U);
  EXPECT_EQ(hums.updates_of("halves"), expected);
}

// With workers the next updates wait at the device; with none, each is made when it is needed.
TEST(Train, UpdatesThatWaitAtTheDeviceAreTheSameUpdates) {
  const HumCorpus hums;
  TrainRequest staged = hums.request("staged", 12, true);
  TrainRequest alone = hums.request("inline", 12, true);
  for (TrainRequest* request : {&staged, &alone})
    request->resolved.config.training.gradient_accumulation_steps = 2;
  staged.resolved.config.data.num_workers = 2;
  staged.resolved.config.data.prefetch_buffer_size = 3;
  train_quietly(staged);
  train_quietly(alone);

  const auto expected = hums.updates_of("inline");
  ASSERT_EQ(expected.size(), 12U);
  EXPECT_EQ(hums.updates_of("staged"), expected);
}

// What waits at the device when a run ends was not trained on. With a small buffer more or less of
// them are ready when they are asked for.
TEST(Train, UpdatesThatWaitedAtTheDeviceAreNotLostToTheNextStart) {
  const HumCorpus hums;
  TrainRequest halves = hums.request("halves", 7, true);
  halves.resolved.config.data.num_workers = 2;
  halves.resolved.config.data.pipeline_buffer_size = 1;
  train_quietly(hums.request("whole", 12, true));
  train_quietly(halves);
  halves.resolved.config.training.max_steps = 12;
  train_quietly(halves);

  const auto expected = hums.updates_of("whole");
  ASSERT_EQ(expected.size(), 12U);
  EXPECT_EQ(hums.updates_of("halves"), expected);
}

// Weights that leap out of the numbers: every return to the save before ends the same way.
TEST(Train, WithReportsOneUpdateLateGoesBackToASaveAndGivesUpInTheEnd) {
  const HumCorpus hums;
  TrainRequest request = hums.request("leap", 40, true);
  request.resolved.config.data.num_workers = 1;
  request.resolved.config.training.learning_rate = 1e30;
  request.resolved.config.training.min_learning_rate = 1e30;
  request.resolved.config.training.warmup_steps = 0;
  request.resolved.config.training.max_bad_steps = 3;
  request.resolved.config.training.save_step = 1;
  request.resolved.config.training.val_step = 0;
  testing::internal::CaptureStderr();
  std::string refusal;
  try {
    train(request);
  } catch (const UserError& error) {
    refusal = error.what();
  }
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(refusal.find("3 updates in a row were not finite"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("after 3 returns to the last good save"), std::string::npos) << refusal;
  EXPECT_FALSE(log.empty());
}

// What a run says to a failure in its third step, after the save of its second.
std::string refusal_of(TrainRequest request, const std::function<void()>& fault) {
  request.resolved.config.training.save_step = 2;
  request.before_step = [fault](std::int64_t step) {
    if (step == 3) fault();
  };
  testing::internal::CaptureStderr();
  std::string refusal;
  try {
    train(request);
  } catch (const std::exception& error) {
    refusal = error.what();
  }
  testing::internal::GetCapturedStderr();
  return refusal;
}

TEST(Train, AFailureInAStepNamesTheStepTheLaneAndTheSave) {
  const HumCorpus hums;
  const TrainRequest request = hums.request("failed", 6, false);
  const std::string refusal =
      refusal_of(request, [] { throw std::runtime_error("device lost\nat frame 12"); });
  EXPECT_EQ(refusal,
            "step 3 failed on cpu (step 2 is saved, the same command goes on from there): device "
            "lost");
  const std::string bug = refusal_of(request, [] { throw BugError("x.cpp:1: broken"); });
  EXPECT_TRUE(bug.starts_with("step 3 failed on cpu (step 2 is saved")) << bug;
  EXPECT_TRUE(bug.ends_with(": x.cpp:1: broken")) << bug;

  train_quietly(hums.request("failed", 6, false));
  train_quietly(hums.request("whole", 6, false));
  EXPECT_EQ(hums.updates_of("failed"), hums.updates_of("whole"));
}

TEST(Train, AStepThatNeverEndsIsSaidAndEndsTheRun) {
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
              "step 3 has computed for [4-9]\\.[0-9] s \\(longest before: .*"
              "myxtts: step 3 has computed for .* and is given up");

  train_quietly(hums.request("hung", 6, false));
  train_quietly(hums.request("whole", 6, false));
  EXPECT_EQ(hums.updates_of("hung"), hums.updates_of("whole"));
}

}  // namespace
}  // namespace xtts::train
