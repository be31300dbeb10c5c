#include "base/files.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "support/temp_dir.h"

namespace myxtts::base {
namespace {

constexpr std::size_t kLimit = 1000;

TEST(ReadRegularFile, ReusedResultKeepsNothingOfThePreviousFile) {
  const support::TempDir dir;
  dir.write("long", "a long content");
  dir.write("short", "short");
  ReadResult result;
  read_regular_file(dir.path() / "long", 100, result);
  read_regular_file(dir.path() / "missing", 100, result);
  EXPECT_EQ(result.fault, FileFault::kMissing);
  EXPECT_EQ(result.bytes, "");

  read_regular_file(dir.path() / "short", 100, result);
  EXPECT_EQ(result.fault, FileFault::kNone);
  EXPECT_EQ(result.detail, "");
  EXPECT_EQ(result.bytes, "short");
}

// Files in /proc report size 0 and grow while they are read.
TEST(ReadRegularFile, GrowingFileStopsAtTheLimit) {
  const std::string path = "/proc/self/maps";
  const ReadResult whole = read_regular_file(path, 1 << 20);
  ASSERT_EQ(whole.fault, FileFault::kNone);
  ASSERT_GT(whole.bytes.size(), 100U);

  const ReadResult refused = read_regular_file(path, 100);
  EXPECT_EQ(refused.fault, FileFault::kTooLarge);
  EXPECT_EQ(refused.bytes, "");
}

TEST(ReadRegularFile, ReturnsTheBytes) {
  const support::TempDir dir;
  const auto path = dir.write("a.txt", std::string_view("one\0two", 7));

  const ReadResult result = read_regular_file(path, kLimit);

  EXPECT_EQ(result.fault, FileFault::kNone);
  EXPECT_EQ(result.bytes, std::string("one\0two", 7));
}

TEST(ReadRegularFile, ReportsEachFault) {
  const support::TempDir dir;
  ASSERT_EQ(::mkfifo((dir.path() / "fifo").c_str(), 0600), 0);
  std::filesystem::create_symlink("loop", dir.path() / "loop");
  dir.write("large", std::string(kLimit + 1, 'x'));

  EXPECT_EQ(read_regular_file(dir.path() / "absent", kLimit).fault, FileFault::kMissing);
  EXPECT_EQ(read_regular_file(dir.path(), kLimit).fault, FileFault::kDirectory);
  EXPECT_EQ(read_regular_file(dir.path() / "fifo", kLimit).fault, FileFault::kNotRegular);
  EXPECT_EQ(read_regular_file("/dev/zero", kLimit).fault, FileFault::kNotRegular);
  EXPECT_EQ(read_regular_file(dir.path() / "loop", kLimit).fault, FileFault::kLinkLoop);
  EXPECT_EQ(read_regular_file(dir.path() / "large", kLimit).fault, FileFault::kTooLarge);
}

TEST(ReadRegularFile, FaultsAreFormattedForMessages) {
  const support::TempDir dir;
  dir.write("large", std::string(kLimit + 1, 'x'));

  EXPECT_EQ(format_fault(read_regular_file(dir.path() / "absent", kLimit)), "does not exist");
  EXPECT_EQ(format_fault(read_regular_file(dir.path(), kLimit)), "is a folder");
  EXPECT_EQ(format_fault(read_regular_file(dir.path() / "large", kLimit)),
            fmt::format("is too large ({} bytes, limit {})", kLimit + 1, kLimit));
}

TEST(ReadRegularFile, FileWithoutPermissionIsUnreadable) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const support::TempDir dir;
  const auto path = dir.write("secret", "x");
  ::chmod(path.c_str(), 0);

  EXPECT_EQ(read_regular_file(path, kLimit).fault, FileFault::kUnreadable);
}

TEST(ReadFileOrThrow, ErrorNamesThePath) {
  try {
    read_file_or_throw("/nowhere/at/all", kLimit);
    FAIL() << "expected a UserError";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere/at/all"), std::string::npos);
  }
}

TEST(WriteFileAtomically, ReplacesTheFileAndLeavesNoTemporaryFile) {
  const support::TempDir dir;
  const auto path = dir.path() / "sub" / "a.txt";

  write_file_atomically(path, "old");
  write_file_atomically(path, "new");

  EXPECT_EQ(read_file_or_throw(path, kLimit), "new");
  const auto entries = std::filesystem::directory_iterator(path.parent_path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

TEST(WriteFileAtomically, RefusesToReplaceAFolderOrAPipe) {
  const support::TempDir dir;
  const auto folder = dir.write("folder/inside", "x").parent_path();
  ASSERT_EQ(::mkfifo((dir.path() / "pipe").c_str(), 0600), 0);

  EXPECT_THROW(write_file_atomically(folder, "bytes"), UsageError);
  EXPECT_THROW(write_file_atomically(dir.path() / "pipe", "bytes"), UsageError);

  EXPECT_TRUE(std::filesystem::is_directory(folder));
  EXPECT_TRUE(std::filesystem::is_fifo(dir.path() / "pipe"));
}

TEST(WriteFileAtomically, FollowsASymbolicLink) {
  const support::TempDir dir;
  dir.write("real.txt", "old");
  std::filesystem::create_symlink("real.txt", dir.path() / "link.txt");

  write_file_atomically(dir.path() / "link.txt", "new");

  EXPECT_TRUE(std::filesystem::is_symlink(dir.path() / "link.txt"));
  EXPECT_EQ(read_file_or_throw(dir.path() / "real.txt", kLimit), "new");
}

TEST(WriteFileAtomically, ErrorHasTheSystemMessage) {
  const support::TempDir dir;
  const auto below_a_file = dir.write("file", "x") / "sub" / "a.txt";
  try {
    write_file_atomically(below_a_file, "bytes");
    FAIL() << "expected a UserError";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("Not a directory"), std::string::npos) << error.what();
  }
}

TEST(IsUnfinishedWrite, RecognisesTemporaryNames) {
  EXPECT_TRUE(is_unfinished_write("wavs/a.wav.tmp.x7k2p0"));
  EXPECT_FALSE(is_unfinished_write("wavs/a.wav"));
  EXPECT_FALSE(is_unfinished_write("a.tmp.wav"));
  EXPECT_FALSE(is_unfinished_write(".tmp.x7k2p0"));
}

TEST(SiblingNames, ListsTheParentFolder) {
  const support::TempDir dir;
  dir.write("lines.txt", "x");
  dir.write("folder/inner.txt", "x");

  std::vector<std::string> names = sibling_names(dir.path() / "line.txt");
  std::ranges::sort(names);

  EXPECT_EQ(names, (std::vector<std::string>{"folder", "lines.txt"}));
  EXPECT_TRUE(sibling_names(dir.path() / "absent" / "line.txt").empty());
}

TEST(StaysInside, RefusesPathsThatLeaveTheRoot) {
  const support::TempDir dir;
  dir.write("root/wavs/a.wav", "x");
  dir.write("outside.wav", "x");
  const auto root = dir.path() / "root";
  std::filesystem::create_symlink(dir.path() / "outside.wav", root / "link.wav");
  std::filesystem::create_symlink("wavs/a.wav", root / "good.wav");

  EXPECT_TRUE(stays_inside(root, "wavs/a.wav"));
  EXPECT_TRUE(stays_inside(root, "wavs/absent.wav"));
  EXPECT_TRUE(stays_inside(root, "good.wav"));
  EXPECT_FALSE(stays_inside(root, "link.wav"));
  EXPECT_FALSE(stays_inside(root, "../outside.wav"));
  EXPECT_FALSE(stays_inside(root, "wavs/../../outside.wav"));
  EXPECT_FALSE(stays_inside(root, "/etc/passwd"));
  EXPECT_FALSE(stays_inside(root, ""));
}

TEST(StaysInside, SiblingFolderWithTheSamePrefixIsOutside) {
  const support::TempDir dir;
  dir.write("corpus/a", "x");
  dir.write("corpus2/a", "x");
  std::filesystem::create_symlink(dir.path() / "corpus2", dir.path() / "corpus" / "link");

  EXPECT_FALSE(stays_inside(dir.path() / "corpus", "link/a"));
}

}  // namespace
}  // namespace myxtts::base
