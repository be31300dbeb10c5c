#include "train/run_config.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/error.h"
#include "checkpoint/checkpoint_name.h"
#include "checkpoint/checkpoint_store.h"
#include "support/temp_dir.h"
#include "unit/checkpoint/small_checkpoint.h"

namespace myxtts::train {
namespace {

// Returns a run folder with a checkpoint and a recorded configuration.
std::string run_started_with(const support::TempDir& dir, const std::string& yaml) {
  dir.write("run/config.yaml", yaml);
  std::filesystem::create_directories(dir.path() / "run/checkpoints" /
                                      checkpoint::checkpoint_name(10));
  return (dir.path() / "run").string();
}

config::Config resolved(const std::string& run,
                        std::vector<std::string> sets,
                        bool reset_training = false) {
  sets.push_back("training.checkpoint_dir=" + run);
  return resolve_run({.file = {}, .sets = std::move(sets)}, reset_training).config;
}

TEST(RunConfig, AResumedRunKeepsItsConfiguration) {
  const support::TempDir dir;
  const std::string run = run_started_with(dir, "data:\n  batch_size: 7\ntraining:\n  seed: 5\n");

  const config::Config config = resolved(run, {"training.seed=6"});

  EXPECT_EQ(config.data.batch_size, 7);
  EXPECT_EQ(config.training.seed, 6);
  EXPECT_EQ(config.training.checkpoint_dir, run);
}

TEST(RunConfig, ARunWithoutCheckpointsOrAResetIgnoresTheOldConfiguration) {
  const support::TempDir dir;
  const std::string run = run_started_with(dir, "data:\n  batch_size: 7\n");

  EXPECT_NE(resolved(run, {}, /*reset_training=*/true).data.batch_size, 7);
  std::filesystem::remove_all(run + "/checkpoints");
  EXPECT_NE(resolved(run, {}).data.batch_size, 7);
}

TEST(RunConfig, AGivenLengthReplacesTheRecordedLength) {
  const support::TempDir dir;
  const std::string run = run_started_with(dir, "training:\n  max_steps: 100\n");

  EXPECT_EQ(resolved(run, {}).training.max_steps, 100);
  const config::Config config = resolved(run, {"training.max_minutes=5"});
  EXPECT_EQ(config.training.max_minutes, 5.0);
  EXPECT_FALSE(config.training.max_steps);
}

TEST(RunConfig, TheMelsCheckpointOfARunIsKeptWhileItExists) {
  const support::TempDir dir;
  const std::filesystem::path checkpoints =
      std::filesystem::canonical(dir.path()) / "voice" / "checkpoints";
  checkpoint::CheckpointStore store(checkpoints);
  const std::string first = store.write(checkpoint::SmallCheckpoint(3).content()).string();
  config::DataConfig data;
  data.mels_from = checkpoints.parent_path().string();
  select_mels_checkpoint(data);
  ASSERT_EQ(data.mels_from, first);
  data.mels_from = first + "/";
  select_mels_checkpoint(data);
  ASSERT_EQ(data.mels_from, first);
  const std::string run = run_started_with(dir, "data:\n  mels_from: " + first + "\n");

  const std::string second = store.write(checkpoint::SmallCheckpoint(5).content()).string();

  const std::string again = "data.mels_from=" + checkpoints.parent_path().string();
  std::filesystem::create_directory_symlink(checkpoints.parent_path(), dir.path() / "link");
  EXPECT_EQ(resolved(run, {}).data.mels_from, first);
  EXPECT_EQ(resolved(run, {again + "/"}).data.mels_from, first);
  EXPECT_EQ(resolved(run, {again + "/checkpoints/"}).data.mels_from, first);
  EXPECT_EQ(resolved(run, {"data.mels_from=" + (dir.path() / "link").string()}).data.mels_from,
            first);
  EXPECT_EQ(resolved(run, {"data.mels_from=" + second}).data.mels_from, second);
  // The run of the voice deletes old checkpoints.
  std::filesystem::remove_all(first);
  for (const std::vector<std::string>& sets : {std::vector<std::string>{}, {again}}) {
    data = resolved(run, sets).data;
    testing::internal::CaptureStderr();
    select_mels_checkpoint(data);
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(log.find("no longer exists") != std::string::npos, sets.empty()) << log;
    EXPECT_EQ(data.mels_from, second);
  }
}

TEST(RunConfig, PathsBecomeAbsolute) {
  const support::TempDir dir;
  dir.write("corpus/metadata.csv", "a|One.|One.\n");
  config::Config config;
  config.data.dataset_path =
      std::filesystem::relative(dir.path() / "corpus", std::filesystem::current_path()).string();

  config.training.evaluate_every = 1;
  config.training.evaluate_judge = "judge";
  config.training.evaluate_text =
      std::filesystem::relative(dir.write("lines.txt", "one\n"), std::filesystem::current_path())
          .string();

  make_paths_absolute(config);

  EXPECT_EQ(*config.training.evaluate_text,
            (std::filesystem::canonical(dir.path()) / "lines.txt").string());
  EXPECT_EQ(std::filesystem::path(config.data.dataset_path),
            std::filesystem::canonical(dir.path()) / "corpus");
  config.training.evaluate_text = "/nowhere";
  EXPECT_THROW(make_paths_absolute(config), UsageError);
  config.training.evaluate_every = 0;
  config.data.dataset_path = "/nowhere";
  EXPECT_THROW(make_paths_absolute(config), UsageError);
}

}  // namespace
}  // namespace myxtts::train
