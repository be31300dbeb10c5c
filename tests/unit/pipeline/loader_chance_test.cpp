#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "pipeline/loader.h"
#include "unit/pipeline/random_corpus.h"

namespace xtts::pipeline {
namespace {

TEST(CropStart, LiesAnywhereAndNeverBeyondTheEnd) {
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

TEST(ReferenceOf, IsEveryOtherOneEquallyOften) {
  const std::vector<std::size_t> same_speaker = {2, 5, 7, 11};
  for (const std::size_t utterance : same_speaker) {
    std::map<std::size_t, int> times;
    for (std::int64_t epoch = 0; epoch < 3000; ++epoch)
      ++times[reference_of(1, epoch, utterance, same_speaker)];

    EXPECT_EQ(times.size(), 3U);
    EXPECT_FALSE(times.contains(utterance));
    for (const auto& entry : times)
      EXPECT_NEAR(entry.second, 1000, 120) << "utterance " << entry.first;
  }
  EXPECT_EQ(reference_of(1, 0, 5, std::vector<std::size_t>{5}), 5U);
}

TEST(ReferenceClip, IsOneRunOfFramesAndRepeatsAShortMel) {
  const FeatureSet set = made_up_features({{1, 40}, {1, 3}}, 1);
  const audio::Mel& mel = set.utterances[0].mel;
  std::set<std::ptrdiff_t> starts;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const std::vector<float> clip = reference_clip(mel, 30, seed);
    ASSERT_EQ(clip.size(), 60U);
    const auto found = std::ranges::search(mel.values, clip).begin();
    ASSERT_NE(found, mel.values.end());
    starts.insert((found - mel.values.begin()) / 2);
  }
  EXPECT_EQ(starts.size(), 11U);

  const std::vector<float>& once = set.utterances[1].mel.values;
  const std::vector<float> repeated = reference_clip(set.utterances[1].mel, 7, 1);
  ASSERT_EQ(repeated.size(), 14U);
  for (std::size_t i = 0; i < repeated.size(); ++i)
    EXPECT_EQ(repeated[i], once[i % once.size()]);
}

}  // namespace
}  // namespace xtts::pipeline
