#include "data/cache_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "data/cache_locks.h"
#include "support/has.h"
#include "support/temp_dir.h"

namespace myxtts::data {
namespace {

std::string member_name(char letter) {
  return "v1-" + std::string(16, letter) + ".mels";
}

// Writes a segment of `bytes` bytes that was last used at `used_s`.
void put_member(const support::TempDir& dir, char letter, std::size_t bytes, time_t used_s) {
  const auto path = dir.write(member_name(letter), std::string(bytes, 'x'));
  const timespec times[2] = {{.tv_sec = used_s, .tv_nsec = 0}, {.tv_sec = used_s, .tv_nsec = 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

std::string error_of_folder(const std::filesystem::path& path) {
  try {
    const CacheFolder folder(path);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(CacheFolder, NamesHoldTheVersion) {
  EXPECT_EQ(version_in_name(new_segment_name()), 1U);
  EXPECT_NE(new_segment_name(), new_segment_name());
  EXPECT_EQ(version_in_name("v12-abcdefghij012345.mels"), 12U);
  for (const std::string_view name : {"",
                                      "v",
                                      "v-abcdefghij012345.mels",
                                      "v1-abcdefghij01234.mels",
                                      "v1-abcdefghij0123456.mels",
                                      "v1-abcdefghij01234X.mels",
                                      "v1_abcdefghij012345.mels",
                                      "v1-abcdefghij012345.mel",
                                      "vx-abcdefghij012345.mels",
                                      "v-1-abcdefghij012345.mels",
                                      "v99999999999-abcdefghij012345.mels"}) {
    EXPECT_EQ(version_in_name(name), std::nullopt) << name;
  }
}

TEST(CacheFolder, IsCreatedPrivateWithItsParents) {
  const support::TempDir dir;
  const auto path = dir.path() / "some" / "where";

  const CacheFolder folder(path);

  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_all);
}

TEST(CacheFolder, ExistingFolderKeepsItsPermissions) {
  const support::TempDir dir;
  std::filesystem::permissions(dir.path(), std::filesystem::perms(0755));

  const CacheFolder folder(dir.path());

  EXPECT_EQ(std::filesystem::status(dir.path()).permissions(), std::filesystem::perms(0755));
}

TEST(CacheFolder, ErrorNamesTheFolderAndWhatToDo) {
  const support::TempDir dir;
  const auto file = dir.write("file", "x");

  for (const auto& path : {file, file / "below"}) {
    const std::string reason = error_of_folder(path);
    EXPECT_TRUE(support::has(reason, path.string())) << reason;
    EXPECT_TRUE(support::has(reason, "Not a directory")) << reason;
    EXPECT_TRUE(support::has(reason, "choose another folder")) << reason;
  }
}

TEST(CacheFolder, ListsSegmentsByLastUse) {
  const support::TempDir dir;
  const CacheFolder folder(dir.path());
  put_member(dir, 'b', 10, 300);
  put_member(dir, 'a', 20, 500);
  put_member(dir, 'c', 30, 400);

  const auto members = folder.members();

  ASSERT_EQ(members.size(), 3U);
  EXPECT_EQ(members[0].name, member_name('b'));
  EXPECT_EQ(members[1].name, member_name('c'));
  EXPECT_EQ(members[2].name, member_name('a'));
  EXPECT_EQ(members[2].bytes, 20U);
  EXPECT_EQ(members[2].version, 1U);
}

TEST(CacheFolder, OtherFilesAreNeitherListedNorTouched) {
  const support::TempDir dir;
  const support::TempDir elsewhere;
  const auto target = elsewhere.write("target", "precious");
  std::filesystem::create_symlink(target, dir.path() / member_name('a'));
  std::filesystem::create_symlink("nowhere", dir.path() / member_name('b'));
  std::filesystem::create_directory(dir.path() / member_name('c'));
  ASSERT_EQ(::mkfifo((dir.path() / member_name('d')).c_str(), 0600), 0);
  dir.write("notes.txt", "mine");
  const CacheFolder folder(dir.path());

  EXPECT_TRUE(folder.members().empty());
  EXPECT_EQ(folder.make_room(1, 0), 0U);
  for (const char letter : {'a', 'b', 'c', 'd', 'e'}) {
    EXPECT_FALSE(folder.remove_unused(member_name(letter)));
    EXPECT_EQ(open_member(folder.descriptor(), member_name(letter)), -1);
    EXPECT_EQ(errno, 0);
  }
  EXPECT_EQ(support::contents(target), "precious");
  EXPECT_EQ(support::contents(dir.path() / "notes.txt"), "mine");
}

TEST(CacheFolder, MakeRoomRemovesTheLeastRecentlyUsedFirst) {
  const support::TempDir dir;
  const CacheFolder folder(dir.path());
  put_member(dir, 'b', 100, 300);
  put_member(dir, 'a', 100, 500);
  put_member(dir, 'c', 100, 400);

  EXPECT_EQ(folder.make_room(0, 300), 300U);
  EXPECT_EQ(folder.make_room(50, 300), 200U);
  EXPECT_FALSE(std::filesystem::exists(dir.path() / member_name('b')));
  EXPECT_EQ(folder.make_room(200, 300), 100U);
  EXPECT_TRUE(std::filesystem::exists(dir.path() / member_name('a')));
}

TEST(CacheFolder, SegmentsInUseStay) {
  const support::TempDir dir;
  const CacheFolder folder(dir.path());
  put_member(dir, 'a', 100, 300);
  put_member(dir, 'b', 100, 400);
  const int used = open_member(folder.descriptor(), member_name('a'));
  ASSERT_EQ(lock_use(used), LockResult::kHeld);

  EXPECT_EQ(folder.make_room(0, 0), 100U);
  EXPECT_TRUE(std::filesystem::exists(dir.path() / member_name('a')));
  ::close(used);
  EXPECT_TRUE(folder.remove_unused(member_name('a')));
}

}  // namespace
}  // namespace myxtts::data
