#include "data/audio_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/temp_dir.h"

namespace myxtts::data {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::size_t kLimit = 1000;

void set_mtime(const std::filesystem::path& path, std::int64_t mtime_ns) {
  const timespec time{.tv_sec = mtime_ns / kSecond, .tv_nsec = mtime_ns % kSecond};
  const timespec times[2] = {time, time};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

TEST(AudioFile, HoldsTheBytesAndTheirDigest) {
  const support::TempDir dir;
  const auto path = dir.write("a.wav", "abc");

  const AudioFile file = read_audio_file(path, kLimit, wall_clock_ns() + 60 * kSecond);

  EXPECT_TRUE(file.ok());
  EXPECT_EQ(file.read.bytes, "abc");
  EXPECT_EQ(file.content, base::sha256("abc"));
  EXPECT_EQ(file.stamp, stamp_of(path));
  EXPECT_EQ(file.stamp->size, 3);
}

TEST(AudioFile, RecentlyWrittenFileHasNoStamp) {
  const support::TempDir dir;

  const AudioFile file = read_audio_file(dir.write("a.wav", "abc"), kLimit);

  EXPECT_TRUE(file.ok());
  EXPECT_EQ(file.stamp, std::nullopt);
}

TEST(AudioFile, OldModificationTimeDoesNotHideARecentChange) {
  const support::TempDir dir;
  const auto path = dir.write("a.wav", "abc");
  set_mtime(path, wall_clock_ns() - 1000 * kSecond);

  EXPECT_EQ(read_audio_file(path, kLimit).stamp, std::nullopt);
}

TEST(AudioFile, FutureModificationTimeHasNoStamp) {
  const support::TempDir dir;
  const auto path = dir.write("a.wav", "abc");
  set_mtime(path, wall_clock_ns() + 1000 * kSecond);

  EXPECT_EQ(read_audio_file(path, kLimit, wall_clock_ns() + 60 * kSecond).stamp, std::nullopt);
}

TEST(AudioFile, StampsSettleAfterTheCoarsestClockResolution) {
  const FileStamp content_last{.mtime_ns = 100 * kSecond, .ctime_ns = 50 * kSecond};
  const FileStamp name_last{.mtime_ns = 50 * kSecond, .ctime_ns = 100 * kSecond};
  for (const FileStamp& stamp : {content_last, name_last}) {
    EXPECT_FALSE(is_settled(stamp, 100 * kSecond));
    EXPECT_FALSE(is_settled(stamp, 102 * kSecond));
    EXPECT_TRUE(is_settled(stamp, 103 * kSecond));
  }
}

TEST(AudioFile, ChangedContentOfEqualSizeAndTimeHasAnotherStamp) {
  const support::TempDir dir;
  const auto path = dir.write("a.wav", "abc");
  const FileStamp before = stamp_of(path).value();

  // The clock of a file system may need some time to advance.
  FileStamp after = before;
  for (int i = 0; i < 1000 && after.ctime_ns == before.ctime_ns; ++i) {
    dir.write("a.wav", "xyz");
    set_mtime(path, before.mtime_ns);
    after = stamp_of(path).value();
    ::usleep(1000);
  }

  EXPECT_EQ(after.mtime_ns, before.mtime_ns);
  EXPECT_EQ(after.size, before.size);
  EXPECT_NE(after, before);
}

TEST(AudioFile, OnlyRegularFilesHaveAStamp) {
  const support::TempDir dir;
  const auto path = dir.write("a.wav", "abc");
  std::filesystem::create_symlink(path, dir.path() / "link");
  ASSERT_EQ(::mkfifo((dir.path() / "pipe").c_str(), 0600), 0);

  EXPECT_EQ(stamp_of(dir.path() / "link"), stamp_of(path));
  EXPECT_EQ(stamp_of(dir.path() / "pipe"), std::nullopt);
  EXPECT_EQ(stamp_of(dir.path()), std::nullopt);
  EXPECT_EQ(stamp_of(dir.path() / "absent"), std::nullopt);
}

TEST(AudioFile, UnreadableFileHasAFault) {
  const support::TempDir dir;

  EXPECT_EQ(read_audio_file(dir.path() / "absent", kLimit).read.fault, base::FileFault::kMissing);
  EXPECT_EQ(read_audio_file(dir.path(), kLimit).read.fault, base::FileFault::kDirectory);
  EXPECT_EQ(read_audio_file(dir.write("a", "abcd"), 3).read.fault, base::FileFault::kTooLarge);
}

}  // namespace
}  // namespace myxtts::data
