#include "train/speaker_clips_torch.h"

#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/pipeline/random_corpus.h"
#include "unit/pipeline/troubled_mels.h"

namespace xtts::train {
namespace {

constexpr std::int64_t kFrames = 4;

// Utterance i has 4 + i % 3 frames whose values begin with i; even ones are of one speaker, odd
// ones of the other.
pipeline::FeatureSet two_speakers(int num_utterances) {
  std::vector<pipeline::Lengths> lengths;
  for (int i = 0; i < num_utterances; ++i)
    lengths.push_back({.text = 2, .mel = 4 + i % 3});
  return pipeline::made_up_features(lengths, 2);
}

std::vector<torch::Tensor> clips_of_all_but(pipeline::FeatureSet features,
                                            std::set<std::size_t> gone) {
  const auto mels = std::make_shared<pipeline::TroubledMels>(features.mels);
  mels->lost = std::move(gone);
  features.mels = mels;
  pipeline::UnreadableUtterances lost(features.utterances.size());
  return read_speaker_clips(features, kFrames, lost);
}

// Which utterances the clips are of.
std::vector<int> sources_of(const torch::Tensor& clips) {
  std::vector<int> sources;
  for (std::int64_t i = 0; i < clips.size(0); ++i)
    sources.push_back(static_cast<int>(clips[i][0][0].item<float>()));
  return sources;
}

TEST(SpeakerClips, AreSpreadOverTheRecordingsOfEachSpeaker) {
  const std::vector<torch::Tensor> clips = clips_of_all_but(two_speakers(64), {});

  ASSERT_EQ(clips.size(), 2U);
  EXPECT_EQ(clips[0].sizes(), (std::vector<std::int64_t>{8, kFrames, 2}));
  EXPECT_EQ(sources_of(clips[0]), (std::vector<int>{0, 8, 16, 24, 32, 40, 48, 56}));
  EXPECT_EQ(sources_of(clips[1]), (std::vector<int>{1, 9, 17, 25, 33, 41, 49, 57}));
}

TEST(SpeakerClips, AreFromTheMiddle) {
  const pipeline::FeatureSet features = two_speakers(4);

  const std::vector<torch::Tensor> clips = clips_of_all_but(features, {});

  const audio::Mel mel = features.mel(2);  // of 6 frames, frames 1 to 4
  for (std::int64_t m = 0; m < kFrames; ++m)
    EXPECT_EQ(clips[0][1][m][0].item<float>(), mel.frame(m + 1)[0]);
}

TEST(SpeakerClips, TheNextRecordingStandsInForALostOne) {
  const std::vector<torch::Tensor> clips = clips_of_all_but(two_speakers(64), {0, 16, 18});

  EXPECT_EQ(sources_of(clips[0]), (std::vector<int>{2, 8, 20, 24, 32, 40, 48, 56}));
  EXPECT_EQ(sources_of(clips[1]), (std::vector<int>{1, 9, 17, 25, 33, 41, 49, 57}));
}

TEST(SpeakerClips, NoRecordingIsTakenTwiceWhereFewAreLeft) {
  pipeline::FeatureSet features = two_speakers(60);
  for (std::size_t i = 0; i < 60; ++i)
    features.utterances[i].speaker = i < 6 ? 0 : 1;

  const std::vector<torch::Tensor> clips = clips_of_all_but(features, {1, 5});

  EXPECT_EQ(sources_of(clips[0]), (std::vector<int>{0, 2, 3, 4}));
}

TEST(SpeakerClips, ASpeakerWithoutAnyIsNamed) {
  pipeline::FeatureSet features = two_speakers(60);
  for (std::size_t i = 0; i < 60; ++i)
    features.utterances[i].speaker = i < 2 ? 0 : 1;
  try {
    clips_of_all_but(features, {0, 1});
    FAIL() << "made a voice of nothing";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("'speaker0'"), std::string::npos) << error.what();
  }
}

TEST(SpeakerClips, ManySpeakersHaveFewerEach) {
  EXPECT_EQ(clips_per_speaker(1, 258, 80), 8U);
  EXPECT_EQ(clips_per_speaker(400, 258, 80), 8U);
  EXPECT_EQ(clips_per_speaker(1000, 258, 80), 3U);
  EXPECT_EQ(clips_per_speaker(1'000'000, 258, 80), 1U);
}

}  // namespace
}  // namespace xtts::train
