#include "data/augment.h"

#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace myxtts::data {
namespace {

TEST(CropStart, CoversAllStartsWithinTheUtterance) {
  const std::set<std::int64_t> all = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  std::set<std::int64_t> by_epoch;
  std::set<std::int64_t> by_utterance;
  for (int i = 0; i < 300; ++i) {
    by_epoch.insert(crop_start(1, i, 3, 20, 12));
    by_utterance.insert(crop_start(1, 3, static_cast<std::size_t>(i), 20, 12));
  }

  EXPECT_EQ(by_epoch, all);
  EXPECT_EQ(by_utterance, all);
  EXPECT_EQ(crop_start(1, 0, 3, 12, 12), 0);
  EXPECT_EQ(crop_start(1, 0, 3, 5, 12), 0);
  EXPECT_EQ(crop_start(1, 0, 3, 500, 0), 0);
  EXPECT_EQ(crop_start(1, 8, 3, 500, 12), crop_start(1, 8, 3, 500, 12));
}

TEST(PickReference, PicksAllOtherRecordingsEquallyOften) {
  const std::vector<std::size_t> same_speaker = {2, 5, 7, 11};
  for (const std::size_t utterance : same_speaker) {
    std::map<std::size_t, int> times;
    for (std::int64_t epoch = 0; epoch < 3000; ++epoch)
      ++times[pick_reference(1, epoch, utterance, same_speaker)];

    EXPECT_EQ(times.size(), 3U);
    EXPECT_FALSE(times.contains(utterance));
    for (const auto& entry : times)
      EXPECT_NEAR(entry.second, 1000, 120) << "utterance " << entry.first;
  }
  EXPECT_EQ(pick_reference(1, 0, 5, std::vector<std::size_t>{5}), 5U);
}

TEST(ReferenceClipStart, CoversAllStartsWithinTheReference) {
  std::set<std::int64_t> starts;
  for (std::int64_t epoch = 0; epoch < 500; ++epoch)
    starts.insert(reference_clip_start(1, epoch, 3, 40, 30));
  EXPECT_EQ(starts.size(), 11U);
  EXPECT_EQ(*starts.begin(), 0);
  EXPECT_EQ(*starts.rbegin(), 10);
  EXPECT_EQ(reference_clip_start(1, 0, 3, 30, 30), 0);
  EXPECT_EQ(reference_clip_start(1, 0, 3, 7, 30), 0);
}

TEST(CopyClip, CopiesConsecutiveFramesAndRepeatsAShortMel) {
  const std::vector<float> mel = {0, 1, 10, 11, 20, 21, 30, 31};  // four frames
  std::vector<float> clip(4);
  copy_clip(mel, 2, 1, clip);
  EXPECT_EQ(clip, (std::vector<float>{10, 11, 20, 21}));

  std::vector<float> longer(18);
  copy_clip(mel, 2, 0, longer);
  for (std::size_t i = 0; i < longer.size(); ++i)
    EXPECT_EQ(longer[i], mel[i % mel.size()]);
}

TEST(PickReplacement, PicksAnyUtteranceAndVariesWithTheAttempt) {
  std::map<std::size_t, int> times;
  for (std::size_t attempt = 0; attempt < 4000; ++attempt)
    ++times[pick_replacement(1, 2, 3, attempt, 4)];
  EXPECT_EQ(times.size(), 4U);
  for (const auto& entry : times)
    EXPECT_NEAR(entry.second, 1000, 120);
  EXPECT_EQ(pick_replacement(1, 2, 3, 5, 1000), pick_replacement(1, 2, 3, 5, 1000));
  EXPECT_NE(pick_replacement(1, 2, 3, 5, 1000000), pick_replacement(1, 3, 3, 5, 1000000));
}

}  // namespace
}  // namespace myxtts::data
