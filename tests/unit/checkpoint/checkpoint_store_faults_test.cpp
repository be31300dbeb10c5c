// Injects a disk error, a killed process or a power cut at every operation of writing a checkpoint.

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "checkpoint/checkpoint_name.h"
#include "checkpoint/checkpoint_store.h"
#include "support/scale.h"
#include "support/temp_dir.h"
#include "unit/checkpoint/fault_injecting_files.h"
#include "unit/checkpoint/simulated_disk.h"
#include "unit/checkpoint/small_checkpoint.h"

namespace myxtts::checkpoint {
namespace {

namespace fs = std::filesystem;

void write(CheckpointStore& store, std::int64_t step) {
  store.write(SmallCheckpoint(step).content());
}

// The operation under test, after three old checkpoints: writes the fourth, prunes the first two.
void write_and_prune(CheckpointStore& store) {
  write(store, 4);
  store.prune(2, {});
}

void write_old_checkpoints(const fs::path& checkpoints) {
  FaultInjectingFiles files;
  CheckpointStore store(checkpoints, files);
  for (std::int64_t step = 1; step <= 3; ++step)
    write(store, step);
}

std::size_t num_operations() {
  const support::TempDir dir(support::in_memory_folder());
  write_old_checkpoints(dir.path());
  FaultInjectingFiles files;
  CheckpointStore store(dir.path(), files);
  write_and_prune(store);
  return files.log.size();
}

// A restart cleans up, finds an exact step 3 or 4, and nothing damaged or left behind.
void expect_healthy_start(const fs::path& checkpoints, const std::string& when) {
  FaultInjectingFiles files;
  CheckpointStore store(checkpoints, files);
  store.remove_unfinished();
  for (const std::string& name : names_in(checkpoints))
    ASSERT_TRUE(step_of(name).has_value()) << name << " was left, " << when;

  const NewestGood newest = store.newest_good();
  ASSERT_TRUE(newest.checkpoint.has_value()) << when;
  ASSERT_TRUE(newest.damaged.empty()) << newest.damaged[0].reason << ", " << when;
  ASSERT_GE(newest.checkpoint->step, 3) << when;
  ASSERT_TRUE(is_small_checkpoint(*newest.checkpoint, newest.checkpoint->step)) << when;

  write_and_prune(store);
  ASSERT_EQ(names_in(checkpoints), (std::vector<std::string>{"step_00000003", "step_00000004"}));
  ASSERT_TRUE(is_small_checkpoint(load_checkpoint(checkpoints / checkpoint_name(4)), 4)) << when;
}

TEST(CheckpointStoreFaults, DiskErrorAtAnyOperationKeepsOldCheckpoints) {
  const std::size_t count = num_operations();
  ASSERT_GE(count, 25U);

  for (const bool persistent : {false, true}) {
    for (const int error : {ENOSPC, EIO}) {
      for (std::size_t at = 0; at < count; ++at) {
        const support::TempDir dir(support::in_memory_folder());
        write_old_checkpoints(dir.path());
        FaultInjectingFiles files;
        files.fail_at = at;
        files.fail_persistently = persistent;
        files.fail_with = error;
        CheckpointStore store(dir.path(), files);
        const std::string when = "operation " + std::to_string(at);

        ASSERT_THROW(write_and_prune(store), UserError) << when;

        ASSERT_TRUE(is_small_checkpoint(load_checkpoint(dir.path() / checkpoint_name(3)), 3))
            << when;
        ASSERT_NO_FATAL_FAILURE(expect_healthy_start(dir.path(), when));
      }
    }
  }
}

TEST(CheckpointStoreFaults, FailedWriteLeavesNoFiles) {
  const support::TempDir dir(support::in_memory_folder());
  write_old_checkpoints(dir.path());
  FaultInjectingFiles counted;
  {
    const support::TempDir other(support::in_memory_folder());
    CheckpointStore(other.path(), counted).write(SmallCheckpoint(4).content());
  }
  const std::size_t rename_index = counted.log.size() - 2;  // the last one is the sync

  for (std::size_t at = 0; at <= rename_index; ++at) {
    FaultInjectingFiles files;
    files.fail_at = at;
    CheckpointStore store(dir.path(), files);

    ASSERT_THROW(write(store, 4), UserError);
    ASSERT_EQ(names_in(dir.path()),
              (std::vector<std::string>{"step_00000001", "step_00000002", "step_00000003"}))
        << "operation " << at;
  }
}

TEST(CheckpointStoreFaults, KillAtAnyOperationLeavesTheOldOrTheNewCheckpoint) {
  const std::size_t count = num_operations();
  std::set<std::int64_t> found;

  for (std::size_t at = 0; at < count; ++at) {
    const support::TempDir dir(support::in_memory_folder());
    write_old_checkpoints(dir.path());
    FaultInjectingFiles files;
    files.kill_at = at;
    CheckpointStore store(dir.path(), files);
    const std::string when = "operation " + std::to_string(at);

    ASSERT_THROW(write_and_prune(store), Killed);

    const NewestGood newest = CheckpointStore(dir.path()).newest_good();
    ASSERT_TRUE(newest.checkpoint.has_value()) << when;
    ASSERT_TRUE(newest.damaged.empty()) << newest.damaged[0].reason << ", " << when;
    found.insert(newest.checkpoint->step);
    ASSERT_NO_FATAL_FAILURE(expect_healthy_start(dir.path(), when));
  }
  EXPECT_EQ(found, (std::set<std::int64_t>{3, 4}));
}

// The operations of a run with twelve checkpoints, and the newest step that write() had returned.
struct Recording {
  std::vector<Operation> log;
  std::vector<std::int64_t> acknowledged;  // before operation i; 0: none yet
  fs::path root;
};

Recording record_run() {
  const support::TempDir dir(support::in_memory_folder());
  FaultInjectingFiles files;
  CheckpointStore store(dir.path() / "run" / "checkpoints", files);
  Recording recording;
  recording.root = dir.path();
  std::int64_t acknowledged = 0;
  for (std::int64_t step = 1; step <= 12; ++step) {
    write(store, step);
    recording.acknowledged.resize(files.log.size(), acknowledged);
    acknowledged = step;
    store.prune(2, {});
    recording.acknowledged.resize(files.log.size(), acknowledged);
  }
  recording.acknowledged.push_back(acknowledged);
  recording.log = std::move(files.log);
  return recording;
}

TEST(CheckpointStoreFaults, PowerCutNeverLosesAnAcknowledgedCheckpoint) {
  const Recording recording = record_run();
  base::Random random(4711);

  for (int i = 0; i < 100 * support::test_scale(); ++i) {
    const std::size_t at = random.below(recording.log.size() + 1);
    SimulatedDisk disk(recording.root);
    for (std::size_t j = 0; j < at; ++j)
      disk.apply(recording.log[j]);
    const support::TempDir after(support::in_memory_folder());
    disk.cut_power(random, after.path());
    const std::int64_t acknowledged = recording.acknowledged[at];
    const std::string when = "cut " + std::to_string(i) + " before operation " + std::to_string(at);

    FaultInjectingFiles files;
    CheckpointStore store(after.path() / "run" / "checkpoints", files);
    store.remove_unfinished();
    const NewestGood newest = store.newest_good();

    ASSERT_TRUE(newest.damaged.empty()) << newest.damaged[0].reason << ", " << when;
    ASSERT_EQ(newest.checkpoint.has_value() || acknowledged == 0, true) << when;
    if (newest.checkpoint) {
      ASSERT_GE(newest.checkpoint->step, acknowledged) << when;
      ASSERT_TRUE(is_small_checkpoint(*newest.checkpoint, newest.checkpoint->step)) << when;
    }
    for (const CheckpointEntry& entry : store.list())  // old checkpoints are complete or absent
      ASSERT_NO_THROW(load_checkpoint(entry.folder)) << when;
    ASSERT_NO_THROW(write(store, 13)) << when;
    ASSERT_TRUE(is_small_checkpoint(*store.newest_good().checkpoint, 13)) << when;
  }
}

}  // namespace
}  // namespace myxtts::checkpoint
