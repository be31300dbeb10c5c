#include "checkpoint/file_layer.h"

#include <cerrno>
#include <string>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/temp_dir.h"
#include "unit/checkpoint/small_checkpoint.h"

namespace myxtts::checkpoint {
namespace {

namespace fs = std::filesystem;

TEST(FileLayer, RealFilesPerformEveryOperation) {
  const support::TempDir dir;
  FileLayer& files = real_files();
  const fs::path folder = dir.path() / "folder";

  files.make_folder(folder);
  {
    const auto file = files.create(folder / "file");
    file->write("one ");
    file->write("two");
    file->sync();
  }
  files.sync_folder(folder);
  files.rename(folder, dir.path() / "other");
  EXPECT_EQ(contents(dir.path() / "other" / "file"), "one two");
  files.remove_file(dir.path() / "other" / "file");
  files.remove_folder(dir.path() / "other");

  EXPECT_TRUE(fs::is_empty(dir.path()));
  EXPECT_GT(files.free_bytes(dir.path()), 0U);
}

TEST(FileLayer, FailedOperationsThrow) {
  const support::TempDir dir;
  FileLayer& files = real_files();
  const fs::path absent = dir.path() / "absent";
  dir.write("there", "x");
  dir.write("full/file", "x");

  EXPECT_THROW(files.create(dir.path() / "there"), UserError);
  EXPECT_THROW(files.create(absent / "file"), UserError);
  EXPECT_THROW(files.make_folder(dir.path() / "full"), UserError);
  EXPECT_THROW(files.sync_folder(absent), UserError);
  EXPECT_THROW(files.rename(absent, dir.path() / "x"), UserError);
  EXPECT_THROW(files.rename(dir.path() / "there", dir.path() / "full"), UserError);
  EXPECT_THROW(files.remove_file(absent), UserError);
  EXPECT_THROW(files.remove_folder(dir.path() / "full"), UserError);
  EXPECT_THROW(files.free_bytes(absent), UserError);
}

TEST(FileLayer, FullDiskErrorHasASuggestion) {
  try {
    throw_file_error("write", "model.safetensors", ENOSPC);
  } catch (const UserError& error) {
    EXPECT_EQ(std::string(error.what()),
              "cannot write model.safetensors: No space left on device; free some space and run "
              "the same command again");
  }
}

}  // namespace
}  // namespace myxtts::checkpoint
