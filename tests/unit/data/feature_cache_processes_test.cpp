#include <memory>

#include <gtest/gtest.h>
#include <unistd.h>

#include "data/feature_cache.h"
#include "support/scale.h"
#include "unit/data/cache_rig.h"
#include "unit/data/worker_process.h"

namespace myxtts::data {
namespace {

AudioFile numbered_file(std::uint64_t i) {
  return unstamped_file("audio " + std::to_string(i));
}

// Returns large and small mels, so that a kill often interrupts a write.
audio::Mel numbered_mel(std::uint64_t i) {
  return random_mel(i, i % 3 == 0 ? 300 : 20, 80);
}

void add_range(const CacheSettings& settings,
               const std::vector<audio::Mel>& mels,
               std::uint64_t first,
               std::uint64_t last) {
  FeatureCache cache(settings);
  for (std::uint64_t i = first; i < last; ++i) {
    const AudioFile file = numbered_file(i);
    if (!cache.find(file)) cache.add(file, mels.at(i), {});
  }
}

// Returns how many mels are found. Expects them to be right.
std::uint64_t count_range(FeatureCache& cache, const std::vector<audio::Mel>& mels) {
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < mels.size(); ++i) {
    const auto view = cache.find(numbered_file(i));
    EXPECT_TRUE(!view || is_same(view, mels[i])) << i;
    found += view ? 1 : 0;
  }
  return found;
}

std::vector<audio::Mel> numbered_mels(std::uint64_t count) {
  std::vector<audio::Mel> mels;
  for (std::uint64_t i = 0; i < count; ++i)
    mels.push_back(numbered_mel(i));
  return mels;
}

TEST(FeatureCacheProcesses, ConcurrentWritersAreBothReadByAThirdProcess) {
  const std::vector<audio::Mel> mels = numbered_mels(60);
  for (int round = 0; round < 3 * support::test_scale(); ++round) {
    CacheRig rig;
    ASSERT_EQ(WorkerProcess([&] { add_range(rig.settings(), mels, 0, 1); }).wait(), 0);
    WorkerProcess one([&] { add_range(rig.settings(), mels, 0, 40); });
    WorkerProcess other([&] { add_range(rig.settings(), mels, 20, 60); });
    ASSERT_EQ(one.wait(), 0);
    ASSERT_EQ(other.wait(), 0);

    FeatureCache third(rig.settings());
    EXPECT_EQ(count_range(third, mels), mels.size());
    EXPECT_EQ(third.counts().damaged, 0U);
    EXPECT_LE(rig.segments().size(), 3U);
  }
}

// Returns how many mels are found from number `first` up to the first missing one; checks them.
std::uint64_t count_from(FeatureCache& cache,
                         const std::vector<audio::Mel>& mels,
                         std::uint64_t first) {
  for (std::uint64_t i = first;; ++i) {
    const auto view = cache.find(numbered_file(i));
    if (!view) return i - first;
    EXPECT_TRUE(is_same(view, mels[i % mels.size()])) << i;
  }
}

TEST(FeatureCacheProcesses, KilledWriterLeavesOnlyCompleteRecords) {
  const std::vector<audio::Mel> mels = numbered_mels(15);
  constexpr std::uint64_t kStride = 1000000;  // range of numbers of one writer
  base::Random random(3);
  for (int round = 0; round < 5 * support::test_scale(); ++round) {
    CacheRig rig;
    std::vector<std::uint64_t> written;
    for (std::uint64_t writer = 0; writer < 4; ++writer) {
      const std::uint64_t first = writer * kStride;
      WorkerProcess process([&] {
        FeatureCache cache(rig.settings());
        for (std::uint64_t i = first;; ++i)
          cache.add(numbered_file(i), mels[i % mels.size()], {});
      });
      ::usleep(static_cast<useconds_t>(random.below(6000)));
      FeatureCache reader(rig.settings());
      const std::uint64_t found_before = count_from(reader, mels, first);
      process.kill();
      reader.refresh();
      written.push_back(count_from(reader, mels, first));

      EXPECT_GE(written.back(), found_before);
      EXPECT_EQ(reader.counts().damaged, 0U);
    }
    FeatureCache last(rig.settings());
    for (std::uint64_t writer = 0; writer < written.size(); ++writer)
      EXPECT_EQ(count_from(last, mels, writer * kStride), written[writer]);
    EXPECT_EQ(last.counts().damaged, 0U);
    last.add(numbered_file(7 * kStride), mels[0], {});
    EXPECT_TRUE(last.find(numbered_file(7 * kStride)));
    EXPECT_TRUE(rig.notices.empty());
    if (testing::Test::HasFailure()) return;
  }
}

TEST(FeatureCacheProcesses, RemovedSegmentsStayReadableForTheirUsers) {
  CacheRig rig;
  const std::vector<audio::Mel> mels = numbered_mels(6);
  ASSERT_EQ(WorkerProcess([&] { add_range(rig.settings(), mels, 0, mels.size()); }).wait(), 0);
  FeatureCache user(rig.settings());
  ASSERT_EQ(count_range(user, mels), mels.size());

  CacheSettings other = rig.settings(1000);
  other.mel_key = "another";
  ASSERT_EQ(WorkerProcess([&] { add_range(other, mels, 0, 1); }).wait(), 0);

  EXPECT_EQ(rig.segments().size(), 1U);
  EXPECT_EQ(count_range(user, mels), mels.size());
}

TEST(FeatureCacheProcesses, ConcurrentProcessesThatMakeRoomKeepEachOthersMels) {
  CacheRig rig;
  const std::vector<audio::Mel> mels = numbered_mels(12);
  const auto fill = [&](std::uint64_t number) {
    CacheSettings settings = rig.settings(std::uint64_t{2} << 20U);
    settings.mel_key = std::to_string(number);
    settings.on_notice = {};
    for (int round = 0; round < 5; ++round) {
      FeatureCache cache(settings);
      std::vector<std::uint64_t> added;
      for (std::uint64_t i = 0; i < mels.size(); ++i) {
        cache.add(numbered_file(i), mels[i], {});
        if (cache.find(numbered_file(i))) added.push_back(i);
      }
      for (const std::uint64_t i : added)
        if (!is_same(cache.find(numbered_file(i)), mels[i])) ::_exit(2);
      if (cache.counts().damaged > 0) ::_exit(3);
    }
  };
  std::vector<std::unique_ptr<WorkerProcess>> workers;
  for (std::uint64_t number = 0; number < 4; ++number)
    workers.push_back(std::make_unique<WorkerProcess>([&, number] { fill(number); }));
  for (const auto& worker : workers)
    EXPECT_EQ(worker->wait(), 0);
}

}  // namespace
}  // namespace myxtts::data
