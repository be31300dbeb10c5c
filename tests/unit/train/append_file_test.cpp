#include "train/append_file.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/full_disk.h"
#include "support/temp_dir.h"

namespace myxtts::train {
namespace {

TEST(AppendFile, AppendsToAnExistingFile) {
  const support::TempDir folder;
  const auto path = folder.write("log", "old\n");

  { AppendFile(path).append("more\n"); }

  EXPECT_EQ(support::contents(path), "old\nmore\n");
}

TEST(AppendFile, TruncatesTheFileFirst) {
  const support::TempDir folder;
  const auto path = folder.write("log", "old\nwrong\n");

  { AppendFile(path, 4).append("more\n"); }

  EXPECT_EQ(support::contents(path), "old\nmore\n");
}

TEST(AppendFile, WritesOnFlushOrWhenTheBufferIsFull) {
  const support::TempDir folder;
  AppendFile file(folder.path() / "log");

  file.append("a");
  EXPECT_EQ(std::filesystem::file_size(file.path()), 0U);
  file.flush();
  EXPECT_EQ(std::filesystem::file_size(file.path()), 1U);
  file.append(std::string(100000, 'b'));
  EXPECT_EQ(std::filesystem::file_size(file.path()), 100001U);
}

TEST(AppendFile, LogsAFullDiskOnceAndContinues) {
  const support::TempDir folder;
  std::filesystem::create_symlink("/dev/full", folder.path() / "log");

  testing::internal::CaptureStderr();
  {
    AppendFile file(folder.path() / "log");
    for (int i = 0; i < 3; ++i) {
      file.append("lost\n");
      file.flush();
    }
  }
  const std::string log = testing::internal::GetCapturedStderr();

  EXPECT_NE(log.find("No space left on device"), std::string::npos) << log;
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1) << log;
}

TEST(AppendFile, DropsOnlyWholeRecordsAndWritesLaterOnes) {
  const support::TempDir folder;
  AppendFile file(folder.path() / "log");
  file.append("first\n");
  file.flush();

  testing::internal::CaptureStderr();
  {
    const support::FullDisk disk(10);  // half of the second record fits
    file.append("second\n");
    file.flush();
  }
  testing::internal::GetCapturedStderr();
  file.append("third\n");
  file.flush();

  EXPECT_EQ(support::contents(file.path()), "first\nthird\n");
}

TEST(AppendFile, LogsAMissingFolder) {
  const support::TempDir folder;

  testing::internal::CaptureStderr();
  AppendFile file(folder.path() / "absent" / "log");
  file.append("lost\n");
  file.flush();
  const std::string log = testing::internal::GetCapturedStderr();

  EXPECT_FALSE(file.is_open());
  EXPECT_NE(log.find("absent/log: No such file"), std::string::npos) << log;
}

}  // namespace
}  // namespace myxtts::train
