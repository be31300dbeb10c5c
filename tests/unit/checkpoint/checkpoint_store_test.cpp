#include "checkpoint/checkpoint_store.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "checkpoint/checkpoint_name.h"
#include "support/temp_dir.h"
#include "unit/checkpoint/fault_injecting_files.h"
#include "unit/checkpoint/small_checkpoint.h"

namespace myxtts::checkpoint {
namespace {

namespace fs = std::filesystem;

std::string reason_of(const auto& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

class CheckpointStoreTest : public testing::Test {
 protected:
  fs::path checkpoints() const { return dir_.path() / "run" / "checkpoints"; }
  fs::path folder(std::int64_t step) const { return checkpoints() / checkpoint_name(step); }
  void write(std::int64_t step) { store_.write(SmallCheckpoint(step).content()); }

  support::TempDir dir_{support::in_memory_folder()};
  FaultInjectingFiles files_;
  CheckpointStore store_{checkpoints(), files_};
};

TEST_F(CheckpointStoreTest, RoundTripIsExact) {
  CheckpointStore real(checkpoints());  // with real fsync calls

  const fs::path written = real.write(SmallCheckpoint(1234).content());

  EXPECT_EQ(written, checkpoints() / "step_00001234");
  EXPECT_EQ(names_in(written),
            (std::vector<std::string>{
                "config.json", "manifest.json", "model.safetensors", "trainer.safetensors"}));
  EXPECT_TRUE(is_small_checkpoint(load_checkpoint(written), 1234));
}

TEST_F(CheckpointStoreTest, MissingFolderHasNoCheckpoints) {
  EXPECT_TRUE(store_.list().empty());
  const NewestGood newest = store_.newest_good();
  EXPECT_FALSE(newest.checkpoint.has_value());
  EXPECT_TRUE(newest.damaged.empty());
  store_.remove_unfinished();
  store_.prune(2, {});
}

TEST_F(CheckpointStoreTest, ListIsSortedByStepNotByName) {
  for (const std::int64_t step : {100000000, 5, 99999999})
    write(step);
  fs::create_directories(checkpoints() / "step_7");
  fs::create_directories(checkpoints() / "step_00000001.tmp.99");

  std::vector<std::int64_t> steps;
  for (const CheckpointEntry& entry : store_.list())
    steps.push_back(entry.step);

  EXPECT_EQ(steps, (std::vector<std::int64_t>{5, 99999999, 100000000}));
}

TEST_F(CheckpointStoreTest, ExistingStepIsNotRewritten) {
  write(3);
  const auto before = fs::last_write_time(folder(3) / "model.safetensors");
  files_.log.clear();

  write(3);

  EXPECT_EQ(fs::last_write_time(folder(3) / "model.safetensors"), before);
  ASSERT_EQ(files_.log.size(), 1U);  // an earlier writer may have died before this sync
  EXPECT_EQ(files_.log[0].kind, Operation::Kind::kSyncFolder);
  EXPECT_EQ(files_.log[0].path, checkpoints());
}

TEST_F(CheckpointStoreTest, DamagedCheckpointOfTheSameStepIsRenamedAndKept) {
  write(3);
  overwrite(folder(3) / "config.json", "{}");

  write(3);

  EXPECT_TRUE(is_small_checkpoint(load_checkpoint(folder(3)), 3));
  EXPECT_EQ(names_in(checkpoints()),
            (std::vector<std::string>{"step_00000003", "step_00000003.broken.1"}));
}

TEST_F(CheckpointStoreTest, FullDiskChangesNothing) {
  write(1);
  files_.log.clear();
  files_.free_space = 1000;

  const std::string reason = reason_of([&] { write(2); });

  EXPECT_NE(reason.find("MiB are free"), std::string::npos) << reason;
  EXPECT_TRUE(files_.log.empty());
  EXPECT_EQ(names_in(checkpoints()), (std::vector<std::string>{"step_00000001"}));
}

TEST_F(CheckpointStoreTest, RequiresTenPercentMoreSpaceThanNeeded) {
  files_.free_space = 1100;

  EXPECT_NO_THROW(store_.require_space(1000));
  EXPECT_THROW(store_.require_space(1001), UserError);
}

TEST_F(CheckpointStoreTest, PruneKeepsTheNewestAndThePinned) {
  for (std::int64_t step = 1; step <= 6; ++step)
    write(step);

  store_.prune(3, std::vector<std::int64_t>{2});

  EXPECT_EQ(names_in(checkpoints()),
            (std::vector<std::string>{
                "step_00000002", "step_00000004", "step_00000005", "step_00000006"}));
}

TEST_F(CheckpointStoreTest, PruneKeepsAtLeastTwo) {
  for (std::int64_t step = 1; step <= 4; ++step)
    write(step);

  store_.prune(0, {});

  EXPECT_EQ(names_in(checkpoints()), (std::vector<std::string>{"step_00000003", "step_00000004"}));
}

TEST_F(CheckpointStoreTest, IncompleteCheckpointDoesNotCountAsKept) {
  for (std::int64_t step = 1; step <= 4; ++step)
    write(step);
  fs::remove(folder(4) / "trainer.safetensors");
  overwrite(folder(3) / "model.safetensors", "short");

  store_.prune(2, {});

  EXPECT_TRUE(fs::exists(folder(1)));
  EXPECT_TRUE(is_small_checkpoint(load_checkpoint(folder(2)), 2));
}

TEST_F(CheckpointStoreTest, RemovesTheFoldersOfKilledWriters) {
  write(1);
  const fs::path left = checkpoints() / "step_00000002.tmp.4711";
  fs::create_directories(left / "deeper");
  overwrite(left / "deeper" / "file", "x");
  overwrite(checkpoints() / "step_00000002.tmp.notes", "mine");

  store_.remove_unfinished();

  EXPECT_EQ(names_in(checkpoints()),
            (std::vector<std::string>{"step_00000001", "step_00000002.tmp.notes"}));
}

TEST_F(CheckpointStoreTest, SkipsDamagedCheckpointsAndReportsTheReasons) {
  for (std::int64_t step = 1; step <= 3; ++step)
    write(step);
  fs::remove(folder(3) / "manifest.json");
  overwrite(folder(2) / "model.safetensors", "short");

  const NewestGood newest = store_.newest_good();

  ASSERT_TRUE(newest.checkpoint.has_value());
  EXPECT_TRUE(is_small_checkpoint(*newest.checkpoint, 1));
  ASSERT_EQ(newest.damaged.size(), 2U);
  EXPECT_EQ(newest.damaged[0].folder, folder(3));
  EXPECT_NE(newest.damaged[0].reason.find("manifest.json"), std::string::npos);
  EXPECT_NE(newest.damaged[1].reason.find("truncated"), std::string::npos);
}

}  // namespace
}  // namespace myxtts::checkpoint
