#include <fstream>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include "data/feature_cache.h"
#include "support/full_disk.h"
#include "support/has.h"
#include "unit/data/cache_rig.h"
#include "unit/data/worker_process.h"

namespace myxtts::data {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;

// Returns a mel of 64,000 bytes.
audio::Mel room_mel(std::uint64_t i) {
  return random_mel(i, 200, 80);
}

AudioFile room_file(std::uint64_t i) {
  return unstamped_file("audio " + std::to_string(i));
}

std::uint64_t bytes_in(const CacheRig& rig) {
  std::uint64_t bytes = 0;
  for (const auto& path : rig.segments())
    bytes += std::filesystem::file_size(path);
  return bytes;
}

TEST(FeatureCacheRoom, LimitStopsTheAddingAndIsReportedOnce) {
  CacheRig rig;
  FeatureCache cache(rig.settings(kMiB));
  for (std::uint64_t i = 0; i < 30; ++i)
    cache.add(room_file(i), room_mel(i), {});

  EXPECT_LE(bytes_in(rig), kMiB);
  EXPECT_GT(bytes_in(rig), kMiB - 70000);
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < 30; ++i)
    found += is_same(cache.find(room_file(i)), room_mel(i)) ? 1 : 0;
  EXPECT_EQ(found, 16U);
  ASSERT_EQ(rig.notices.size(), 1U);
  EXPECT_TRUE(support::has(rig.notices[0], "limit of 1048576 bytes")) << rig.notices[0];
}

TEST(FeatureCacheRoom, UnusedSegmentsAreRemovedLeastRecentlyUsedFirst) {
  CacheRig rig;
  for (const char* mel_key : {"first", "second", "third"}) {
    CacheSettings settings = rig.settings(kMiB);
    settings.mel_key = mel_key;
    FeatureCache cache(settings);
    for (std::uint64_t i = 0; i < 4; ++i)
      cache.add(room_file(i), room_mel(i), {});
    ::usleep(20000);  // until the clock of the file system advances
  }
  const auto num_found = [&](const std::string& mel_key) {
    CacheSettings settings = rig.settings(kMiB);
    settings.mel_key = mel_key;
    FeatureCache cache(settings);
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < 4; ++i)
      found += cache.find(room_file(i)) ? 1 : 0;
    ::usleep(20000);
    return found;
  };
  ASSERT_EQ(num_found("first"), 4U);  // which makes it the most recently used

  {
    FeatureCache cache(rig.settings(kMiB));
    for (std::uint64_t i = 0; i < 8; ++i)
      cache.add(room_file(i), room_mel(i), {});
    EXPECT_TRUE(cache.find(room_file(7)));
  }

  EXPECT_LE(bytes_in(rig), kMiB);
  EXPECT_EQ(num_found("second"), 0U);
  EXPECT_EQ(num_found("third"), 4U);
  EXPECT_EQ(num_found("first"), 4U);
  EXPECT_EQ(num_found("key"), 4U + 4U - 4U);
  EXPECT_TRUE(rig.notices.empty());
}

TEST(FeatureCacheRoom, SmallerLimitAppliesAtOnce) {
  CacheRig rig;
  {
    FeatureCache cache(rig.settings(8 * kMiB));
    for (std::uint64_t i = 0; i < 30; ++i)
      cache.add(room_file(i), room_mel(i), {});
  }
  ASSERT_GT(rig.segments().size(), 2U);

  const FeatureCache cache(rig.settings(kMiB));

  EXPECT_LE(bytes_in(rig), kMiB);
  EXPECT_GT(bytes_in(rig), 0U);
}

TEST(FeatureCacheRoom, ConcurrentWritersExceedTheLimitOnlySlightly) {
  CacheRig rig;
  FeatureCache one(rig.settings(4 * kMiB));
  FeatureCache other(rig.settings(4 * kMiB));
  for (std::uint64_t i = 0; i < 60; ++i) {
    one.add(room_file(2 * i), room_mel(2 * i), {});
    other.add(room_file(2 * i + 1), room_mel(2 * i + 1), {});
  }

  EXPECT_LE(bytes_in(rig), 4 * kMiB + 4 * kMiB / 64 + 70000);
  EXPECT_EQ(rig.notices.size(), 2U);
}

TEST(FeatureCacheRoom, NothingIsAddedWithoutRoom) {
  CacheRig rig;
  FeatureCache cache(rig.settings(0));

  cache.add(room_file(0), room_mel(0), {});

  EXPECT_FALSE(cache.find(room_file(0)));
  EXPECT_TRUE(rig.segments().empty());
  EXPECT_EQ(rig.notices.size(), 1U);
}

TEST(FeatureCacheRoom, FullDiskStopsTheAddingAndIsReportedOnce) {
  // Full within the segment header, between records, in a record header, in a payload.
  for (const rlim_t full_at : {0U, 40U, 64U, 100U, 64128U + 64U, 64128U + 100U, 100000U}) {
    SCOPED_TRACE(full_at);
    CacheRig rig;
    const std::uint64_t num_fit = full_at >= 64128U + 64U ? 1 : 0;
    {
      FeatureCache cache(rig.settings());
      {
        const support::FullDisk disk(full_at);
        for (std::uint64_t i = 0; i < 5; ++i)
          cache.add(room_file(i), room_mel(i), {});
      }
      cache.add(room_file(9), room_mel(9), {});  // adding does not start again
      for (std::uint64_t i = 0; i < 10; ++i)
        EXPECT_EQ(is_same(cache.find(room_file(i)), room_mel(i)), i < num_fit) << i;
    }
    ASSERT_EQ(rig.notices.size(), 1U);
    EXPECT_TRUE(support::has(rig.notices[0], "File too large; continuing without it"))
        << rig.notices[0];

    FeatureCache next(rig.settings());
    for (std::uint64_t i = 0; i < 5; ++i)
      next.add(room_file(i), room_mel(i), {});
    for (std::uint64_t i = 0; i < 5; ++i)
      EXPECT_TRUE(is_same(next.find(room_file(i)), room_mel(i))) << i;
    EXPECT_EQ(next.counts().damaged, 0U);
    EXPECT_EQ(rig.notices.size(), 1U);
  }
}

// Mounts a file system of 256 KiB at `folder` for this process. Returns false if not permitted.
bool mount_small_disk(const std::filesystem::path& folder) {
  const std::string user = "0 " + std::to_string(::getuid()) + " 1";
  const std::string group = "0 " + std::to_string(::getgid()) + " 1";
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << user;
  std::ofstream("/proc/self/gid_map") << group;
  return ::mount("none", folder.c_str(), "tmpfs", 0, "size=256k") == 0;
}

TEST(FeatureCacheRoom, FullFileSystemIsReportedAndStoredMelsAreFound) {
  CacheRig rig;
  constexpr int kNoMounts = 77;
  WorkerProcess worker([&] {
    if (!mount_small_disk(rig.dir.path())) ::_exit(kNoMounts);
    FeatureCache cache(rig.settings());
    for (std::uint64_t i = 0; i < 10; ++i)
      cache.add(room_file(i), room_mel(i), {});
    bool good = rig.notices.size() == 1 && support::has(rig.notices[0], "No space left on device");
    for (std::uint64_t i = 0; i < 10; ++i)
      good = good && is_same(cache.find(room_file(i)), room_mel(i)) == (i < 4);
    good = good && FeatureCache(rig.settings()).counts().damaged == 0;
    ::_exit(good ? 0 : 2);
  });
  const int code = worker.wait();
  if (code == kNoMounts) GTEST_SKIP() << "no file system can be mounted here";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace myxtts::data
