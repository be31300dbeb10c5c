#include "train/speaker_clips_torch.h"

#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/data/fault_injecting_mels.h"
#include "unit/data/random_corpus.h"

namespace myxtts::train {
namespace {

constexpr std::int64_t kFrames = 4;

// Utterance i has 4 + i % 3 frames whose values start with i. Even utterances belong to one
// speaker, odd ones to the other.
data::FeatureSet two_speakers(int num_utterances) {
  std::vector<data::Lengths> lengths;
  for (int i = 0; i < num_utterances; ++i)
    lengths.push_back({.text = 2, .mel = 4 + i % 3});
  return data::synthetic_features(lengths, 2);
}

std::vector<torch::Tensor> clips_of_all_but(data::FeatureSet features,
                                            std::set<std::size_t> unreadable) {
  const auto mels = std::make_shared<data::FaultInjectingMels>(features.mels);
  mels->unreadable = std::move(unreadable);
  features.mels = mels;
  data::UnreadableUtterances counts(features.utterances.size());
  return read_speaker_clips(features, kFrames, counts);
}

// Returns the utterances of the clips.
std::vector<int> sources_of(const torch::Tensor& clips) {
  std::vector<int> sources;
  for (std::int64_t i = 0; i < clips.size(0); ++i)
    sources.push_back(static_cast<int>(clips[i][0][0].item<float>()));
  return sources;
}

TEST(SpeakerClips, AreDistributedOverTheRecordingsOfEachSpeaker) {
  const std::vector<torch::Tensor> clips = clips_of_all_but(two_speakers(64), {});

  ASSERT_EQ(clips.size(), 2U);
  EXPECT_EQ(clips[0].sizes(), (std::vector<std::int64_t>{8, kFrames, 2}));
  EXPECT_EQ(sources_of(clips[0]), (std::vector<int>{0, 8, 16, 24, 32, 40, 48, 56}));
  EXPECT_EQ(sources_of(clips[1]), (std::vector<int>{1, 9, 17, 25, 33, 41, 49, 57}));
}

TEST(SpeakerClips, AreTakenFromTheMiddle) {
  const data::FeatureSet features = two_speakers(4);

  const std::vector<torch::Tensor> clips = clips_of_all_but(features, {});

  const audio::Mel mel = features.mel(2);  // of 6 frames, frames 1 to 4
  for (std::int64_t m = 0; m < kFrames; ++m)
    EXPECT_EQ(clips[0][1][m][0].item<float>(), mel.frame(m + 1)[0]);
}

TEST(SpeakerClips, NextRecordingReplacesAnUnreadableOne) {
  const std::vector<torch::Tensor> clips = clips_of_all_but(two_speakers(64), {0, 16, 18});

  EXPECT_EQ(sources_of(clips[0]), (std::vector<int>{2, 8, 20, 24, 32, 40, 48, 56}));
  EXPECT_EQ(sources_of(clips[1]), (std::vector<int>{1, 9, 17, 25, 33, 41, 49, 57}));
}

TEST(SpeakerClips, UseNoRecordingTwice) {
  data::FeatureSet features = two_speakers(60);
  for (std::size_t i = 0; i < 60; ++i)
    features.utterances[i].speaker = i < 6 ? 0 : 1;

  const std::vector<torch::Tensor> clips = clips_of_all_but(features, {1, 5});

  EXPECT_EQ(sources_of(clips[0]), (std::vector<int>{0, 2, 3, 4}));
}

TEST(SpeakerClips, ErrorNamesASpeakerWithoutReadableRecordings) {
  data::FeatureSet features = two_speakers(60);
  for (std::size_t i = 0; i < 60; ++i)
    features.utterances[i].speaker = i < 2 ? 0 : 1;
  try {
    clips_of_all_but(features, {0, 1});
    FAIL() << "no error for a speaker without recordings";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("'speaker0'"), std::string::npos) << error.what();
  }
}

TEST(SpeakerClips, AreFewerPerSpeakerWithManySpeakers) {
  EXPECT_EQ(clips_per_speaker(1, 258, 80), 8U);
  EXPECT_EQ(clips_per_speaker(400, 258, 80), 8U);
  EXPECT_EQ(clips_per_speaker(1000, 258, 80), 3U);
  EXPECT_EQ(clips_per_speaker(1'000'000, 258, 80), 1U);
}

}  // namespace
}  // namespace myxtts::train
