#include "train/trainer_torch.h"

#include <cmath>
#include <fstream>
#include <memory>
#include <string>
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
    request.resolved.config = config;
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
  TrainRequest inline_ = hums.request("inline", 12, true);
  for (TrainRequest* request : {&staged, &inline_})
    request->resolved.config.training.gradient_accumulation_steps = 2;
  staged.resolved.config.data.num_workers = 2;
  staged.resolved.config.data.prefetch_buffer_size = 3;
  train_quietly(staged);
  train_quietly(inline_);

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

}  // namespace
}  // namespace xtts::train
