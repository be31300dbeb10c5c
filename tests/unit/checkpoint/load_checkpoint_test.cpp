// Loading a checkpoint detects every kind of damage and reports the reason.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "base/sha256.h"
#include "checkpoint/checkpoint_name.h"
#include "checkpoint/checkpoint_store.h"
#include "checkpoint/manifest.h"
#include "support/scale.h"
#include "support/temp_dir.h"
#include "unit/checkpoint/fault_injecting_files.h"
#include "unit/checkpoint/small_checkpoint.h"

namespace myxtts::checkpoint {
namespace {

void flip_bit(char& byte, std::uint64_t bit) {
  byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << bit));
}

namespace fs = std::filesystem;

const std::vector<std::string> kFiles = {kModelFile, kTrainerFile, kConfigFile, kManifestFile};

std::string checkpoint_error(const fs::path& folder) {
  try {
    load_checkpoint(folder);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

class LoadCheckpoint : public testing::Test {
 protected:
  fs::path write_step(std::int64_t step) {
    FaultInjectingFiles files;
    return CheckpointStore(dir_.path(), files).write(SmallCheckpoint(step).content());
  }

  support::TempDir dir_{support::in_memory_folder()};
};

TEST_F(LoadCheckpoint, EveryFlippedBitIsDetected) {
  const fs::path folder = write_step(1);
  base::Random random(1);
  std::vector<std::string> healthy;
  for (const std::string& file : kFiles)
    healthy.push_back(contents(folder / file));

  for (int i = 0; i < 4000 * support::test_scale(); ++i) {
    const std::size_t which = random.below(kFiles.size());
    std::string bytes = healthy[which];
    const std::size_t bit = random.below(bytes.size() * 8);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    overwrite(folder / kFiles[which], bytes);
    ASSERT_NE(checkpoint_error(folder), "") << kFiles[which] << ", bit " << bit;
    overwrite(folder / kFiles[which], healthy[which]);
  }
  EXPECT_EQ(checkpoint_error(folder), "");
}

TEST_F(LoadCheckpoint, EveryTruncationIsDetected) {
  const fs::path folder = write_step(1);

  for (const std::string& file : kFiles) {
    const std::string healthy = contents(folder / file);
    for (std::size_t length = 0; length < healthy.size(); ++length) {
      overwrite(folder / file, healthy.substr(0, length));
      ASSERT_NE(checkpoint_error(folder), "") << file << " of " << length << " bytes";
    }
    overwrite(folder / file, healthy + '\0');
    ASSERT_NE(checkpoint_error(folder), "") << file;
    overwrite(folder / file, healthy);
  }
}

TEST_F(LoadCheckpoint, FilesOfAnotherStepAreDetected) {
  const fs::path one = write_step(1);
  const fs::path other = write_step(2);

  for (const std::string& file : kFiles) {
    const std::string own = contents(one / file);
    overwrite(one / file, contents(other / file));
    EXPECT_NE(checkpoint_error(one), "") << file;
    overwrite(one / file, own);
  }
}

TEST_F(LoadCheckpoint, FolderNamedForAnotherStepIsDetected) {
  const fs::path folder = write_step(1);
  fs::rename(folder, dir_.path() / checkpoint_name(2));
  const std::string reason = checkpoint_error(dir_.path() / checkpoint_name(2));

  EXPECT_NE(
      reason.find("is of step 1, its folder is named for another; rename it to step_00000001"),
      std::string::npos)
      << reason;

  fs::rename(dir_.path() / checkpoint_name(2), dir_.path() / "best");
  EXPECT_EQ(checkpoint_error(dir_.path() / "best"),
            "");  // a name without a step is accepted
}

TEST_F(LoadCheckpoint, MissingFileIsNamed) {
  for (const std::string& file : kFiles) {
    const fs::path folder = write_step(1);
    fs::remove(folder / file);

    EXPECT_NE(checkpoint_error(folder).find(file), std::string::npos) << checkpoint_error(folder);
    fs::remove_all(folder);
  }
}

// The manifest has the SHA-256 of a file with a changed tensor, as after a memory error.
TEST_F(LoadCheckpoint, TensorWithAWrongChecksumIsNamed) {
  const fs::path folder = write_step(1);
  Manifest manifest = parse_manifest(contents(folder / kManifestFile), "m");
  std::string model = contents(folder / kModelFile);
  model.back() = static_cast<char>(model.back() ^ 1);
  overwrite(folder / kModelFile, model);
  for (FileRecord& file : manifest.files) {
    if (file.name == kModelFile) file.sha256 = base::sha256_hex(model);
  }
  overwrite(folder / kManifestFile, manifest_text(manifest));

  const std::string reason = checkpoint_error(folder);

  EXPECT_NE(reason.find("tensor \"encoder.weight\": CRC32C differs"), std::string::npos) << reason;
}

// Checkpoints of format version 1 stay readable.
TEST_F(LoadCheckpoint, GoldenCheckpointOfVersionOneRoundTrips) {
  const fs::path golden =
      fs::path(MYXTTS_SOURCE_DIR) / "tests/golden/checkpoints/version_1/step_00000012";
  const fs::path now = write_step(12);

  EXPECT_TRUE(is_small_checkpoint(load_checkpoint(golden), 12));
  for (const char* file : {kModelFile, kTrainerFile, kConfigFile})
    EXPECT_EQ(contents(golden / file), contents(now / file)) << file;
}

// Damages a checkpoint at random. Returns whether it changed.
bool damage(const fs::path& folder, base::Random& random) {
  const fs::path file = folder / kFiles[random.below(kFiles.size())];
  std::string bytes = contents(file);
  switch (random.below(6)) {
    case 0:
      return false;
    case 1:
      fs::remove(file);
      return true;
    case 2:
      overwrite(file, bytes.substr(0, random.below(bytes.size())));
      return true;
    case 3:
      flip_bit(bytes[random.below(bytes.size())], random.below(8));
      overwrite(file, bytes);
      return true;
    case 4: {
      const std::string healthy = bytes;
      const std::size_t kept = random.below(bytes.size());
      bytes.replace(kept, std::string::npos, bytes.size() - kept, '\0');
      overwrite(file, bytes);
      return bytes != healthy;
    }
    default:
      fs::remove_all(folder);
      fs::create_directories(folder);
      return true;
  }
}

TEST_F(LoadCheckpoint, NewestGoodIsTheNewestUndamagedCheckpoint) {
  base::Random random(5);
  FaultInjectingFiles files;
  const fs::path healthy = dir_.path() / "healthy";
  CheckpointStore writer(healthy, files);
  for (std::int64_t step = 1; step <= 4; ++step)
    writer.write(SmallCheckpoint(step).content());

  for (int i = 0; i < 40 * support::test_scale(); ++i) {
    const fs::path run = dir_.path() / "damaged";
    fs::copy(healthy, run, fs::copy_options::recursive);
    std::int64_t newest_undamaged = 0;
    for (std::int64_t step = 1; step <= 4; ++step) {
      if (!damage(run / checkpoint_name(step), random)) newest_undamaged = step;
    }

    const NewestGood newest = CheckpointStore(run).newest_good();

    ASSERT_EQ(newest.checkpoint ? newest.checkpoint->step : 0, newest_undamaged) << "run " << i;
    ASSERT_EQ(newest.damaged.size(), static_cast<std::size_t>(4 - newest_undamaged));
    ASSERT_TRUE(!newest.checkpoint || is_small_checkpoint(*newest.checkpoint, newest_undamaged));
    fs::remove_all(run);
  }
}

TEST_F(LoadCheckpoint, FindsCheckpointsByRunFolderOrName) {
  FaultInjectingFiles files;
  const fs::path run = dir_.path() / "run";
  CheckpointStore store(run / "checkpoints", files);
  store.write(SmallCheckpoint(1).content());
  const fs::path second = store.write(SmallCheckpoint(2).content());

  EXPECT_EQ(find_checkpoint(run).step, 2);
  EXPECT_EQ(find_checkpoint(run / "checkpoints").step, 2);
  EXPECT_EQ(find_checkpoint(run / "checkpoints" / "step_00000001").step, 1);
  overwrite(second / kModelFile, "");
  EXPECT_EQ(find_checkpoint(run).step, 1);
  EXPECT_THROW(find_checkpoint(second), UserError);
}

TEST_F(LoadCheckpoint, RefusesPathsWithAReason) {
  const auto refusal = [](const fs::path& path) -> std::string {
    try {
      find_checkpoint(path);
    } catch (const UsageError& error) {
      return std::string("usage: ") + error.what();
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  fs::create_directories(dir_.path() / "my_run" / "checkpoints");
  dir_.write("file", "x");

  EXPECT_NE(refusal(dir_.path() / "my_rn").find("did you mean 'my_run'"), std::string::npos);
  EXPECT_EQ(refusal(dir_.path() / "file").substr(0, 7), "usage: ");
  EXPECT_NE(refusal(dir_.path() / "my_run").find("no checkpoint in "), std::string::npos);
  overwrite(dir_.path() / "my_run" / "checkpoints" / "x", "");
  fs::create_directories(dir_.path() / "my_run" / "checkpoints" / "step_00000001");
  EXPECT_NE(refusal(dir_.path() / "my_run").find("all 1 checkpoints in "), std::string::npos);
}

}  // namespace
}  // namespace myxtts::checkpoint
