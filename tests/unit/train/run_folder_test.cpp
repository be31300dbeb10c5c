#include "train/run_folder.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "support/temp_dir.h"

namespace myxtts::train {
namespace {

namespace fs = std::filesystem;

TEST(ArchiveRun, MovesTheFilesOfTheRunAndKeepsOthers) {
  const support::TempDir run;
  const std::vector<std::string> ours = {"checkpoints/step_00000004/manifest.json",
                                         "metrics.jsonl",
                                         "samples/step_00000002_1.wav",
                                         "config.yaml",
                                         "summary.json",
                                         "log.txt",
                                         "report.html",
                                         "events.out.tfevents.1.host.2.0"};
  const std::vector<std::string> others = {"lock", "notes.txt", "my/events.txt"};
  for (const std::string& name : ours)
    run.write(name, "old " + name);
  for (const std::string& name : others)
    run.write(name, "mine");

  const fs::path moved = archive_run(run.path());

  EXPECT_EQ(moved, run.path() / "before_reset_1");
  for (const std::string& name : ours) {
    EXPECT_EQ(base::read_file_or_throw(moved / name, 1000), "old " + name);
    EXPECT_FALSE(fs::exists(run.path() / name)) << name;
  }
  for (const std::string& name : others)
    EXPECT_TRUE(fs::exists(run.path() / name)) << name;
}

TEST(ArchiveRun, SecondArchiveGetsItsOwnFolder) {
  const support::TempDir run;
  run.write("metrics.jsonl", "first");
  archive_run(run.path());
  run.write("metrics.jsonl", "second");

  const fs::path moved = archive_run(run.path());

  EXPECT_EQ(base::read_file_or_throw(run.path() / "before_reset_1/metrics.jsonl", 100), "first");
  EXPECT_EQ(base::read_file_or_throw(moved / "metrics.jsonl", 100), "second");
}

TEST(ArchiveRun, CreatesNoFolderIfThereIsNothingToMove) {
  const support::TempDir run;
  run.write("notes.txt", "mine");

  EXPECT_TRUE(archive_run(run.path()).empty());
  EXPECT_TRUE(archive_run(run.path() / "absent").empty());
  EXPECT_FALSE(fs::exists(run.path() / "before_reset_1"));
}

TEST(HasCheckpoints, CountsDamagedButNotUnfinishedOnes) {
  const support::TempDir run;
  EXPECT_FALSE(has_checkpoints(run.path()));

  fs::create_directories(run.path() / "checkpoints" / "step_00000004.tmp.77");
  EXPECT_FALSE(has_checkpoints(run.path()));

  fs::create_directories(run.path() / "checkpoints" / "step_00000004");
  EXPECT_TRUE(has_checkpoints(run.path()));
}

}  // namespace
}  // namespace myxtts::train
