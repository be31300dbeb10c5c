#include "data/feature_cache.h"

#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/error.h"
#include "data/cache_locks.h"
#include "support/has.h"
#include "unit/data/cache_rig.h"

namespace myxtts::data {
namespace {

TEST(FeatureCache, ReturnsTheSameBits) {
  CacheRig rig;
  FeatureCache cache(rig.settings());
  for (std::uint64_t i = 0; i < 20; ++i) {
    const AudioFile file = unstamped_file(std::to_string(i));
    EXPECT_FALSE(cache.find(file));
    cache.add(file, random_mel(i, 1 + static_cast<int>(i) * 7), random_durations(i));
  }
  FeatureCache later(rig.settings());

  for (FeatureCache* one : {&cache, &later}) {
    for (std::uint64_t i = 0; i < 20; ++i) {
      const auto view = one->find(unstamped_file(std::to_string(i)));
      ASSERT_TRUE(is_same(view, random_mel(i, 1 + static_cast<int>(i) * 7))) << i;
      EXPECT_EQ(view->durations, random_durations(i));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view->values.data()) % 64, 0U);
    }
  }
  EXPECT_TRUE(rig.notices.empty()) << rig.notices.front();
}

TEST(FeatureCache, CountsHitsMissesAndBytes) {
  CacheRig rig;
  {
    FeatureCache cache(rig.settings());
    const AudioFile file = unstamped_file("a");
    cache.find(file);
    cache.add(file, random_mel(1, 16), {});
    cache.find(file);
    cache.find(file);

    const CacheCounts counts = cache.counts();
    EXPECT_EQ(counts.hits, 2U);
    EXPECT_EQ(counts.misses, 1U);
    EXPECT_EQ(counts.damaged, 0U);
    EXPECT_EQ(counts.bytes_written, 128U + 16 * 4 * 4);
    EXPECT_EQ(counts.bytes_held, 64U + 128 + 16 * 4 * 4);
  }
  EXPECT_EQ(std::filesystem::file_size(rig.segments().at(0)), 64U + 128 + 16 * 4 * 4);
  EXPECT_EQ(FeatureCache(rig.settings()).counts().bytes_held, 64U + 128 + 16 * 4 * 4);
}

TEST(FeatureCache, StoredMelIsNotWrittenTwice) {
  CacheRig rig;
  FeatureCache cache(rig.settings());
  cache.add(unstamped_file("a"), random_mel(1, 16), {});
  const std::uint64_t once = cache.counts().bytes_written;

  cache.add(unstamped_file("a"), random_mel(1, 16), {});

  EXPECT_EQ(cache.counts().bytes_written, once);
}

TEST(FeatureCache, ReadingWritesNoFile) {
  CacheRig rig;
  { FeatureCache(rig.settings()).find(unstamped_file("a")); }

  EXPECT_TRUE(rig.segments().empty());
}

TEST(FeatureCache, ConsecutiveRunsShareASegment) {
  CacheRig rig;
  for (std::uint64_t i = 0; i < 5; ++i) {
    FeatureCache cache(rig.settings());
    cache.add(unstamped_file(std::to_string(i)), random_mel(i, 10), {});
  }

  EXPECT_EQ(rig.segments().size(), 1U);
  FeatureCache cache(rig.settings());
  for (std::uint64_t i = 0; i < 5; ++i)
    EXPECT_TRUE(is_same(cache.find(unstamped_file(std::to_string(i))), random_mel(i, 10)));
}

TEST(FeatureCache, MelKeysAreSeparate) {
  CacheRig rig;
  CacheSettings other = rig.settings();
  other.mel_key = "another";
  FeatureCache(rig.settings()).add(unstamped_file("a"), random_mel(1, 10), {});

  {
    FeatureCache cache(other);
    EXPECT_FALSE(cache.find(unstamped_file("a")));
    cache.add(unstamped_file("a"), random_mel(2, 10), {});
    EXPECT_TRUE(is_same(cache.find(unstamped_file("a")), random_mel(2, 10)));
  }

  EXPECT_TRUE(is_same(FeatureCache(rig.settings()).find(unstamped_file("a")), random_mel(1, 10)));
}

TEST(FeatureCache, UnchangedFileIsFoundByPath) {
  CacheRig rig;
  const auto path = rig.dir.write("a.wav", "some audio");
  {
    FeatureCache cache(rig.settings());
    EXPECT_FALSE(cache.find(path));
    cache.add(read_old_file(path), random_mel(1, 10), {});
    EXPECT_TRUE(is_same(cache.find(path), random_mel(1, 10)));
  }
  FeatureCache later(rig.settings());

  EXPECT_TRUE(is_same(later.find(path), random_mel(1, 10)));
  EXPECT_EQ(later.counts().hits, 1U);
  EXPECT_EQ(later.counts().misses, 0U);
}

TEST(FeatureCache, KnownContentUnderANewPathIsFoundAndRemembered) {
  CacheRig rig;
  FeatureCache cache(rig.settings());
  cache.add(read_old_file(rig.dir.write("a.wav", "audio")), random_mel(1, 10), {});
  const auto copy = rig.dir.write("copy.wav", "audio");

  EXPECT_FALSE(cache.find(copy));
  EXPECT_TRUE(cache.find(read_old_file(copy)));
  EXPECT_TRUE(is_same(cache.find(copy), random_mel(1, 10)));
  EXPECT_TRUE(is_same(FeatureCache(rig.settings()).find(copy), random_mel(1, 10)));
}

TEST(FeatureCache, RecentlyWrittenFileIsReadAgain) {
  CacheRig rig;
  FeatureCache cache(rig.settings());
  const auto path = rig.dir.write("a.wav", "audio");
  cache.add(read_audio_file(path, 1000), random_mel(1, 10), {});

  EXPECT_FALSE(cache.find(path));
  EXPECT_TRUE(is_same(cache.find(read_audio_file(path, 1000)), random_mel(1, 10)));
}

TEST(FeatureCache, ChangedFileOfEqualSizeAndTimeIsAMiss) {
  CacheRig rig;
  FeatureCache cache(rig.settings());
  const auto path = rig.dir.write("a.wav", "audio");
  cache.add(read_old_file(path), random_mel(1, 10), {});
  const FileStamp before = stamp_of(path).value();
  ASSERT_TRUE(cache.find(path));

  while (stamp_of(path)->ctime_ns == before.ctime_ns)  // until the clock advances
    rig.dir.write("a.wav", "AUDIO");
  const timespec time{.tv_sec = before.mtime_ns / 1'000'000'000,
                      .tv_nsec = before.mtime_ns % 1'000'000'000};
  const timespec times[2] = {time, time};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);

  ASSERT_EQ(stamp_of(path)->mtime_ns, before.mtime_ns);
  EXPECT_FALSE(cache.find(path));
  EXPECT_FALSE(cache.find(read_old_file(path)));
  EXPECT_FALSE(FeatureCache(rig.settings()).find(path));
}

TEST(FeatureCache, DeletedFileIsAMiss) {
  CacheRig rig;
  FeatureCache cache(rig.settings());
  const auto path = rig.dir.write("a.wav", "audio");
  cache.add(read_old_file(path), random_mel(1, 10), {});
  std::filesystem::remove(path);

  EXPECT_FALSE(cache.find(path));
}

TEST(FeatureCache, RefreshFindsRecordsOfAnotherCache) {
  CacheRig rig;
  FeatureCache one(rig.settings());
  FeatureCache other(rig.settings());
  const auto path = rig.dir.write("a.wav", "audio");
  for (std::uint64_t i = 0; i < 3; ++i)
    other.add(unstamped_file(std::to_string(i)), random_mel(i, 10), {});
  other.add(read_old_file(path), random_mel(7, 10), {});

  EXPECT_FALSE(one.find(unstamped_file("1")));
  one.refresh();
  EXPECT_TRUE(is_same(one.find(unstamped_file("1")), random_mel(1, 10)));
  EXPECT_TRUE(is_same(one.find(path), random_mel(7, 10)));
  other.add(unstamped_file("3"), random_mel(3, 10), {});
  one.refresh();
  EXPECT_TRUE(is_same(one.find(unstamped_file("3")), random_mel(3, 10)));
}

TEST(FeatureCache, UnusedOldVersionsAreRemoved) {
  CacheRig rig;
  const std::string letters = "-abcdefghijklmnop.mels";
  const auto old = rig.dir.write("cache/v0" + letters, "old");
  const auto later = rig.dir.write("cache/v2" + letters, "later");
  const auto empty = rig.dir.write("cache/v1-abcdefghijklmnoq.mels", "");
  const int used = ::open(old.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(lock_use(used), LockResult::kHeld);

  { const FeatureCache cache(rig.settings()); }
  EXPECT_TRUE(std::filesystem::exists(old));
  EXPECT_TRUE(std::filesystem::exists(later));
  EXPECT_FALSE(std::filesystem::exists(empty));
  ::close(used);
  { const FeatureCache cache(rig.settings()); }
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_TRUE(std::filesystem::exists(later));
  EXPECT_TRUE(rig.notices.empty()) << rig.notices.front();
}

TEST(FeatureCache, OtherFilesInTheFolderAreIgnored) {
  CacheRig rig;
  FeatureCache(rig.settings()).add(unstamped_file("a"), random_mel(1, 10), {});
  std::filesystem::create_symlink("/dev/zero", rig.folder() / "v1-aaaaaaaaaaaaaaaa.mels");
  ASSERT_EQ(::mkfifo((rig.folder() / "v1-bbbbbbbbbbbbbbbb.mels").c_str(), 0600), 0);
  std::filesystem::create_directory(rig.folder() / "v1-cccccccccccccccc.mels");
  rig.dir.write("cache/notes.txt", "mine");

  FeatureCache cache(rig.settings());
  cache.add(unstamped_file("b"), random_mel(2, 10), {});

  EXPECT_TRUE(is_same(cache.find(unstamped_file("a")), random_mel(1, 10)));
  EXPECT_TRUE(is_same(cache.find(unstamped_file("b")), random_mel(2, 10)));
  EXPECT_TRUE(rig.notices.empty()) << rig.notices.front();
  EXPECT_EQ(rig.segments().size(), 5U);
}

TEST(FeatureCache, FolderThatCannotBeCreatedIsAnError) {
  CacheRig rig;
  CacheSettings settings = rig.settings();
  settings.folder = rig.dir.write("file", "x") / "below";

  EXPECT_THROW(FeatureCache{settings}, UserError);
}

TEST(FeatureCache, ThreadsFindAndAddConcurrently) {
  CacheRig rig;
  constexpr std::uint64_t kNumConcurrentMels = 60;
  FeatureCache cache(rig.settings());
  FeatureCache(rig.settings()).add(unstamped_file("0"), random_mel(0, 30), {});
  std::vector<audio::Mel> mels;
  std::vector<std::filesystem::path> paths;
  for (std::uint64_t i = 0; i < kNumConcurrentMels; ++i) {
    mels.push_back(random_mel(i, 30));
    paths.push_back(rig.dir.write(std::to_string(i), std::to_string(i)));
  }
  std::atomic<int> num_wrong = 0;

  const auto work = [&](std::uint64_t seed) {
    base::Random random(seed);
    for (int i = 0; i < 500; ++i) {
      const std::uint64_t which = random.below(kNumConcurrentMels);
      auto view = cache.find(paths[which]);
      if (!view) {
        const AudioFile file = read_old_file(paths[which]);
        view = cache.find(file);
        if (!view) cache.add(file, mels[which], {});
      }
      if (view && !is_same(view, mels[which])) ++num_wrong;
      if (i % 50 == 0) cache.refresh();
      if (i % 70 == 0) num_wrong += cache.counts().damaged > 0;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t seed = 0; seed < 4; ++seed)
      threads.emplace_back(work, seed);
  }

  EXPECT_EQ(num_wrong, 0);
  for (std::uint64_t i = 0; i < kNumConcurrentMels; ++i)
    EXPECT_TRUE(is_same(cache.find(paths[i]), mels[i])) << i;
}

}  // namespace
}  // namespace myxtts::data
