// Every operation of a save as the point where the disk fails, the process dies or the power goes.

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
#include "unit/checkpoint/simulated_disk.h"
#include "unit/checkpoint/small_checkpoint.h"
#include "unit/checkpoint/watched_files.h"

namespace xtts::checkpoint {
namespace {

namespace fs = std::filesystem;

void write(CheckpointStore& store, std::int64_t step) {
  store.write(SmallSave(step).content());
}

// Three old saves, then what is under test: the fourth, and the first two pruned.
void save_and_prune(CheckpointStore& store) {
  write(store, 4);
  store.prune(2, {});
}

void write_old_saves(const fs::path& checkpoints) {
  WatchedFiles files;
  CheckpointStore store(checkpoints, files);
  for (std::int64_t step = 1; step <= 3; ++step)
    write(store, step);
}

std::size_t num_operations() {
  const support::TempDir dir(support::fast_folder());
  write_old_saves(dir.path());
  WatchedFiles files;
  CheckpointStore store(dir.path(), files);
  save_and_prune(store);
  return files.log.size();
}

// The next start: cleans up, finds step 3 or 4 to the bit, and nothing broken or left behind.
void expect_healthy_start(const fs::path& checkpoints, const std::string& when) {
  WatchedFiles files;
  CheckpointStore store(checkpoints, files);
  store.remove_unfinished();
  for (const std::string& name : names_in(checkpoints))
    ASSERT_TRUE(step_of(name).has_value()) << name << " was left, " << when;

  const NewestGood newest = store.newest_good();
  ASSERT_TRUE(newest.save.has_value()) << when;
  ASSERT_TRUE(newest.broken.empty()) << newest.broken[0].reason << ", " << when;
  ASSERT_GE(newest.save->step, 3) << when;
  ASSERT_TRUE(is_small_checkpoint(*newest.save, newest.save->step)) << when;

  save_and_prune(store);
  ASSERT_EQ(names_in(checkpoints), (std::vector<std::string>{"step_00000003", "step_00000004"}));
  ASSERT_TRUE(is_small_checkpoint(load_checkpoint(checkpoints / checkpoint_name(4)), 4)) << when;
}

TEST(SaveStoreFaults, ADiskThatFailsAtAnyOperationHarmsNothing) {
  const std::size_t count = num_operations();
  ASSERT_GE(count, 25U);

  for (const bool for_ever : {false, true}) {
    for (const int error : {ENOSPC, EIO}) {
      for (std::size_t at = 0; at < count; ++at) {
        const support::TempDir dir(support::fast_folder());
        write_old_saves(dir.path());
        WatchedFiles files;
        files.fail_at = at;
        files.fail_for_ever = for_ever;
        files.fail_with = error;
        CheckpointStore store(dir.path(), files);
        const std::string when = "operation " + std::to_string(at);

        ASSERT_THROW(save_and_prune(store), UserError) << when;

        ASSERT_TRUE(is_small_checkpoint(load_checkpoint(dir.path() / checkpoint_name(3)), 3))
            << when;
        ASSERT_NO_FATAL_FAILURE(expect_healthy_start(dir.path(), when));
      }
    }
  }
}

TEST(SaveStoreFaults, AFailedWriteLeavesNothingByItself) {
  const support::TempDir dir(support::fast_folder());
  write_old_saves(dir.path());
  WatchedFiles counted;
  {
    const support::TempDir other(support::fast_folder());
    CheckpointStore(other.path(), counted).write(SmallSave(4).content());
  }
  const std::size_t last_before_name = counted.log.size() - 2;  // the rename

  for (std::size_t at = 0; at <= last_before_name; ++at) {
    WatchedFiles files;
    files.fail_at = at;
    CheckpointStore store(dir.path(), files);

    ASSERT_THROW(write(store, 4), UserError);
    ASSERT_EQ(names_in(dir.path()),
              (std::vector<std::string>{"step_00000001", "step_00000002", "step_00000003"}))
        << "operation " << at;
  }
}

TEST(SaveStoreFaults, AProcessKilledAtAnyOperationLeavesTheOldSaveOrTheNewOne) {
  const std::size_t count = num_operations();
  std::set<std::int64_t> found;

  for (std::size_t at = 0; at < count; ++at) {
    const support::TempDir dir(support::fast_folder());
    write_old_saves(dir.path());
    WatchedFiles files;
    files.kill_at = at;
    CheckpointStore store(dir.path(), files);
    const std::string when = "operation " + std::to_string(at);

    ASSERT_THROW(save_and_prune(store), Killed);

    const NewestGood newest = CheckpointStore(dir.path()).newest_good();
    ASSERT_TRUE(newest.save.has_value()) << when;
    ASSERT_TRUE(newest.broken.empty()) << newest.broken[0].reason << ", " << when;
    found.insert(newest.save->step);
    ASSERT_NO_FATAL_FAILURE(expect_healthy_start(dir.path(), when));
  }
  EXPECT_EQ(found, (std::set<std::int64_t>{3, 4}));
}

// A run of twelve saves, with the step that was reported as saved after each operation.
struct Recording {
  std::vector<Operation> log;
  std::vector<std::int64_t> acknowledged;  // before operation i; 0: none yet
  fs::path root;
};

Recording record_a_run() {
  const support::TempDir dir(support::fast_folder());
  WatchedFiles files;
  CheckpointStore store(dir.path() / "run" / "checkpoints", files);
  Recording recording;
  recording.root = dir.path();
  std::int64_t saved = 0;
  for (std::int64_t step = 1; step <= 12; ++step) {
    write(store, step);
    recording.acknowledged.resize(files.log.size(), saved);
    saved = step;
    store.prune(2, {});
    recording.acknowledged.resize(files.log.size(), saved);
  }
  recording.acknowledged.push_back(saved);
  recording.log = std::move(files.log);
  return recording;
}

TEST(SaveStoreFaults, NoPowerCutTakesASaveThatWasReported) {
  const Recording recording = record_a_run();
  base::Random random(4711);

  for (int i = 0; i < 100 * support::test_scale(); ++i) {
    const std::size_t at = random.below(recording.log.size() + 1);
    SimulatedDisk disk(recording.root);
    for (std::size_t j = 0; j < at; ++j)
      disk.apply(recording.log[j]);
    const support::TempDir after(support::fast_folder());
    disk.cut_power(random, after.path());
    const std::int64_t reported = recording.acknowledged[at];
    const std::string when = "cut " + std::to_string(i) + " before operation " + std::to_string(at);

    WatchedFiles files;
    CheckpointStore store(after.path() / "run" / "checkpoints", files);
    store.remove_unfinished();
    const NewestGood newest = store.newest_good();

    ASSERT_TRUE(newest.broken.empty()) << newest.broken[0].reason << ", " << when;
    ASSERT_EQ(newest.save.has_value() || reported == 0, true) << when;
    if (newest.save) {
      ASSERT_GE(newest.save->step, reported) << when;
      ASSERT_TRUE(is_small_checkpoint(*newest.save, newest.save->step)) << when;
    }
    for (const CheckpointEntry& entry : store.list())  // also the old ones are whole or gone
      ASSERT_NO_THROW(load_checkpoint(entry.folder)) << when;
    ASSERT_NO_THROW(write(store, 13)) << when;
    ASSERT_TRUE(is_small_checkpoint(*store.newest_good().save, 13)) << when;
  }
}

}  // namespace
}  // namespace xtts::checkpoint
