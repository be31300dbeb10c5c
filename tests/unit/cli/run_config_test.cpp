#include "cli/run_config.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/error.h"
#include "checkpoint/checkpoint_name.h"
#include "checkpoint/checkpoint_store.h"
#include "support/temp_dir.h"
#include "unit/checkpoint/small_checkpoint.h"

namespace xtts::cli {
namespace {

// A run folder with a save and the configuration it was started with.
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

TEST(RunConfig, ARunThatGoesOnKeepsWhatItWasStartedWith) {
  const support::TempDir dir;
  const std::string run = run_started_with(dir, "data:\n  batch_size: 7\ntraining:\n  seed: 5\n");

  const config::Config config = resolved(run, {"training.seed=6"});

  EXPECT_EQ(config.data.batch_size, 7);
  EXPECT_EQ(config.training.seed, 6);
  EXPECT_EQ(config.training.checkpoint_dir, run);
}

TEST(RunConfig, WithoutSavesOrStartedAnewItDoesNot) {
  const support::TempDir dir;
  const std::string run = run_started_with(dir, "data:\n  batch_size: 7\n");

  EXPECT_NE(resolved(run, {}, /*reset_training=*/true).data.batch_size, 7);
  std::filesystem::remove_all(run + "/checkpoints");
  EXPECT_NE(resolved(run, {}).data.batch_size, 7);
}

TEST(RunConfig, ALengthThatIsGivenTakesThePlaceOfTheOld) {
  const support::TempDir dir;
  const std::string run = run_started_with(dir, "training:\n  max_steps: 100\n");

  EXPECT_EQ(resolved(run, {}).training.max_steps, 100);
  const config::Config config = resolved(run, {"training.max_minutes=5"});
  EXPECT_EQ(config.training.max_minutes, 5.0);
  EXPECT_FALSE(config.training.max_steps);
}

TEST(RunConfig, AVoiceThatHasLearnedOnIsStillTheSaveThatARunBeganWith) {
  const support::TempDir dir;
  const std::filesystem::path saves =
      std::filesystem::canonical(dir.path()) / "voice" / "checkpoints";
  checkpoint::CheckpointStore store(saves);
  const std::string first = store.write(checkpoint::SmallSave(3).content()).string();
  config::DataConfig data;
  data.mels_from = saves.parent_path().string();
  choose_voice(data);
  ASSERT_EQ(data.mels_from, first);
  data.mels_from = first + "/";
  choose_voice(data);
  ASSERT_EQ(data.mels_from, first);
  const std::string run = run_started_with(dir, "data:\n  mels_from: " + first + "\n");

  const std::string second = store.write(checkpoint::SmallSave(5).content()).string();

  const std::string again = "data.mels_from=" + saves.parent_path().string();
  std::filesystem::create_directory_symlink(saves.parent_path(), dir.path() / "link");
  EXPECT_EQ(resolved(run, {}).data.mels_from, first);
  EXPECT_EQ(resolved(run, {again + "/"}).data.mels_from, first);
  EXPECT_EQ(resolved(run, {again + "/checkpoints/"}).data.mels_from, first);
  EXPECT_EQ(resolved(run, {"data.mels_from=" + (dir.path() / "link").string()}).data.mels_from,
            first);
  EXPECT_EQ(resolved(run, {"data.mels_from=" + second}).data.mels_from, second);
  // The run of the voice keeps a few saves only.
  std::filesystem::remove_all(first);
  for (const std::vector<std::string>& sets : {std::vector<std::string>{}, {again}}) {
    data = resolved(run, sets).data;
    testing::internal::CaptureStderr();
    choose_voice(data);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(said.find("is gone") != std::string::npos, sets.empty()) << said;
    EXPECT_EQ(data.mels_from, second);
  }
}

TEST(RunConfig, PathsHoldWhereverTheNextCommandIsTyped) {
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
}  // namespace xtts::cli
