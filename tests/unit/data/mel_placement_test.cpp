#include "data/mel_placement.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/temp_dir.h"

namespace myxtts::data {
namespace {

class PlacementOf : public testing::Test {
 protected:
  MelPlacement place(const std::string& kind, double audio_bytes = 1e6, double free_bytes = 1e9) {
    config_.data.feature_cache = kind;
    if (!config_.data.cache_dir) config_.data.cache_dir = (dir_.path() / "mels").string();
    return placement_of(config_, audio_bytes, free_bytes, [this](const std::string& text) {
      notices_.push_back(text);
    });
  }

  support::TempDir dir_;
  config::Config config_;
  std::vector<std::string> notices_;
};

TEST_F(PlacementOf, FollowsTheSetting) {
  EXPECT_GT(place("ram").memory_bytes, 1e300);
  EXPECT_EQ(place("ram").cache, nullptr);
  EXPECT_EQ(place("off").memory_bytes, 0.0);
  EXPECT_EQ(place("off").cache, nullptr);
  EXPECT_EQ(place("disk").memory_bytes, 0.0);
  EXPECT_NE(place("disk").cache, nullptr);
}

TEST_F(PlacementOf, AutoOpensTheCacheOnlyIfMemoryMayNotSuffice) {
  EXPECT_EQ(place("auto", 1e6, 1e9).memory_bytes, 0.25e9);
  EXPECT_EQ(place("auto", 1e6, 1e9).cache, nullptr);
  EXPECT_NE(place("auto", 1e8, 1e9).cache, nullptr);
  config_.data.enable_memory_mapping = false;
  EXPECT_EQ(place("auto", 1e8, 1e9).cache, nullptr);
}

TEST_F(PlacementOf, UnusableFolderIsAnErrorOnlyForTheDiskSetting) {
  dir_.write("file", "");
  config_.data.cache_dir = (dir_.path() / "file/below").string();
  EXPECT_THROW(place("disk"), UserError);
  EXPECT_EQ(place("auto", 1e8, 1e9).cache, nullptr);
  ASSERT_EQ(notices_.size(), 1U);
  EXPECT_NE(notices_[0].find("no disk cache"), std::string::npos);
}

TEST_F(PlacementOf, InvalidLimitIsAUsageError) {
  config_.data.cache_limit = "plenty";
  EXPECT_THROW(place("disk"), UsageError);
}

}  // namespace
}  // namespace myxtts::data
