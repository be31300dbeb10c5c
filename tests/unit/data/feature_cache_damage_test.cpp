#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "data/feature_cache.h"
#include "support/has.h"
#include "support/scale.h"
#include "unit/data/cache_rig.h"

namespace myxtts::data {
namespace {

constexpr std::uint64_t kNumMels = 3;

// A segment with three small mels and a memo of each, in a cache folder.
class FeatureCacheDamage : public testing::Test {
 protected:
  FeatureCacheDamage() {
    FeatureCache cache(rig_.settings());
    for (std::uint64_t i = 0; i < kNumMels; ++i) {
      paths_.push_back(rig_.dir.write(std::to_string(i), "audio " + std::to_string(i)));
      cache.add(read_old_file(paths_.back()), stored_mel(i), {});
    }
    segment_ = rig_.segments().at(0);
    bytes_ = support::contents(segment_);
  }

  static audio::Mel stored_mel(std::uint64_t i) {
    return random_mel(i, 1 + static_cast<int>(i) * 5);
  }

  void put(const std::string& bytes) {
    std::filesystem::remove_all(rig_.folder());
    rig_.dir.write(std::filesystem::relative(segment_, rig_.dir.path()), bytes);
  }

  // Returns how many mels are found by content. Expects every found mel, also by path, to be right.
  std::uint64_t num_found(FeatureCache& cache) {
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < kNumMels; ++i) {
      const auto by_path = cache.find(paths_[i]);
      EXPECT_TRUE(!by_path || is_same(by_path, stored_mel(i))) << i;
      const auto by_content = cache.find(read_old_file(paths_[i]));
      EXPECT_TRUE(!by_content || is_same(by_content, stored_mel(i))) << i;
      found += by_content ? 1 : 0;
    }
    return found;
  }

  // Expects missing mels to be added again and then found, also by another cache.
  void expect_repair() {
    {
      FeatureCache cache(rig_.settings());
      for (std::uint64_t i = 0; i < kNumMels; ++i) {
        const AudioFile file = read_old_file(paths_[i]);
        if (!cache.find(file)) cache.add(file, stored_mel(i), {});
      }
      EXPECT_EQ(num_found(cache), kNumMels);
    }
    FeatureCache later(rig_.settings());
    EXPECT_EQ(num_found(later), kNumMels);
  }

  CacheRig rig_;
  std::vector<std::filesystem::path> paths_;
  std::filesystem::path segment_;
  std::string bytes_;
};

TEST_F(FeatureCacheDamage, EveryDamagedByteIsAMissOrHarmless) {
  base::Random random(1);
  for (std::size_t at = 0; at < bytes_.size(); ++at) {
    for (int repeat = 0; repeat < support::test_scale(); ++repeat) {
      SCOPED_TRACE(at);
      std::string damaged = bytes_;
      damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(1 + random.below(255)));
      put(damaged);
      {
        FeatureCache cache(rig_.settings());
        const std::uint64_t found = num_found(cache);
        // Only the segment header affects more than one record.
        EXPECT_GE(found, at < kSegmentHeaderBytes ? 0 : kNumMels - 1);
        EXPECT_TRUE(found == kNumMels || cache.counts().damaged == 1);
      }
      if (at % 5 == 0) expect_repair();
      if (HasFailure()) return;
    }
  }
}

TEST_F(FeatureCacheDamage, TruncatedSegmentKeepsItsCompleteRecords) {
  std::uint64_t before = 0;
  for (std::size_t size = 0; size <= bytes_.size(); ++size) {
    SCOPED_TRACE(size);
    put(bytes_.substr(0, size));
    {
      FeatureCache cache(rig_.settings());
      const std::uint64_t found = num_found(cache);
      EXPECT_GE(found, before);
      EXPECT_EQ(cache.counts().damaged, 0U);
      before = found;
    }
    if (size % 5 == 0) expect_repair();
    if (HasFailure()) return;
  }
  EXPECT_EQ(before, kNumMels);
  EXPECT_TRUE(rig_.notices.empty());
}

TEST_F(FeatureCacheDamage, RandomDamageIsAMissOrHarmless) {
  base::Random random(2);
  for (int round = 0; round < 200 * support::test_scale(); ++round) {
    SCOPED_TRACE(round);
    std::string damaged = bytes_;
    for (std::uint64_t count = 1 + random.below(4); count > 0; --count) {
      const std::size_t at = random.below(damaged.size());
      const std::size_t length = std::min(damaged.size() - at, random.below(200));
      const std::string piece = damaged.substr(random.below(damaged.size()), length);
      damaged.replace(at, random.below(2) * length, piece);
    }
    put(damaged);
    {
      FeatureCache cache(rig_.settings());
      num_found(cache);
    }
    expect_repair();
    if (HasFailure()) return;
  }
}

TEST_F(FeatureCacheDamage, IsReportedOnce) {
  std::string damaged = bytes_;
  damaged[kSegmentHeaderBytes + kRecordHeaderBytes] ^= 1;  // in the first payload
  damaged[damaged.size() - 120] ^= 1;
  put(damaged);
  FeatureCache cache(rig_.settings());
  num_found(cache);
  num_found(cache);

  EXPECT_EQ(cache.counts().damaged, 2U);
  ASSERT_EQ(rig_.notices.size(), 1U);
  EXPECT_TRUE(support::has(rig_.notices[0], "damaged records"));
  EXPECT_TRUE(support::has(rig_.notices[0], rig_.folder().string()));
}

TEST_F(FeatureCacheDamage, IntactCopyIsUsedInstead) {
  { const FeatureCache cache(rig_.settings()); }
  std::filesystem::copy(segment_, rig_.folder() / "v1-aaaaaaaaaaaaaaaa.mels");
  for (const auto& path : rig_.segments()) {
    std::string damaged = bytes_;
    damaged[kSegmentHeaderBytes + kRecordHeaderBytes] ^= 1;
    rig_.dir.write(std::filesystem::relative(path, rig_.dir.path()), damaged);

    FeatureCache cache(rig_.settings());
    EXPECT_EQ(num_found(cache), kNumMels);
    rig_.dir.write(std::filesystem::relative(path, rig_.dir.path()), bytes_);
  }
}

// The cache never truncates a file, but a user may.
TEST_F(FeatureCacheDamage, SegmentTruncatedWhileInUseIsAMiss) {
  FeatureCache cache(rig_.settings());
  FeatureCache unread(rig_.settings());
  ASSERT_EQ(num_found(cache), kNumMels);

  std::filesystem::resize_file(segment_, 0);

  EXPECT_EQ(num_found(cache), 0U);
  EXPECT_EQ(num_found(unread), 0U);
  EXPECT_EQ(cache.counts().damaged, kNumMels);
}

TEST_F(FeatureCacheDamage, FolderRemovedWhileInUseStillServesItsMels) {
  FeatureCache cache(rig_.settings());
  std::filesystem::remove_all(rig_.folder());

  EXPECT_EQ(num_found(cache), kNumMels);
  cache.refresh();
  EXPECT_EQ(num_found(cache), kNumMels);
}

TEST_F(FeatureCacheDamage, NothingIsAddedToARemovedFolder) {
  CacheRig rig;
  FeatureCache cache(rig.settings());
  std::filesystem::remove_all(rig.folder());

  cache.add(unstamped_file("a"), random_mel(1, 10), {});
  cache.add(unstamped_file("b"), random_mel(1, 10), {});

  EXPECT_FALSE(cache.find(unstamped_file("a")));
  ASSERT_EQ(rig.notices.size(), 1U);
  EXPECT_TRUE(support::has(rig.notices[0], "No such file or directory"));
}

}  // namespace
}  // namespace myxtts::data
