#include "pipeline/timeout_store.h"

#include <string>

#include <gtest/gtest.h>

#include "pipeline/unreadable_utterances.h"
#include "unit/pipeline/random_corpus.h"
#include "unit/pipeline/troubled_mels.h"

namespace xtts::pipeline {
namespace {

using std::chrono::milliseconds;

class PatientMelsTest : public testing::Test {
 protected:
  std::string why_lost(const TimeoutMelStore& mels, std::size_t utterance) {
    MelScratch scratch;
    try {
      mels.read(utterance, scratch);
    } catch (const UnreadableUtterance& error) {
      return error.what();
    }
    return "";
  }

  FeatureSet features_ = made_up_features({{2, 5}, {3, 9}, {1, 4}}, 1);
  const std::shared_ptr<TroubledMels> troubled_ = std::make_shared<TroubledMels>(features_.mels);
};

TEST_F(PatientMelsTest, AreTheMelsOfTheOtherStore) {
  const TimeoutMelStore mels(features_.mels);
  MelScratch patient;
  MelScratch plain;
  for (std::size_t i = 0; i < features_.utterances.size(); ++i) {
    const std::span<const float> found = mels.read(i, patient);
    const std::span<const float> expected = features_.mels->read(i, plain);
    EXPECT_EQ(std::vector(found.begin(), found.end()),
              std::vector(expected.begin(), expected.end()));
  }
}

TEST_F(PatientMelsTest, AReadThatDoesNotEndIsALoss) {
  troubled_->stuck = {1};
  const TimeoutMelStore mels(troubled_, milliseconds(50));

  EXPECT_EQ(why_lost(mels, 1), "reading it did not end within 0.1 s");

  MelScratch scratch;
  EXPECT_EQ(mels.read(2, scratch).size(), 8U);
  troubled_->release();
}

TEST_F(PatientMelsTest, WhatReadingThrowsArrives) {
  troubled_->lost = {0};
  troubled_->broken = {2};
  const TimeoutMelStore mels(troubled_);

  EXPECT_EQ(why_lost(mels, 0), "its file is gone");
  MelScratch scratch;
  EXPECT_THROW(mels.read(2, scratch), BugError);
}

TEST_F(PatientMelsTest, AMelOrItsLossIsNotedOnce) {
  features_ = made_up_features(std::vector<Lengths>(40, {2, 5}), 1);
  const auto troubled = std::make_shared<TroubledMels>(features_.mels);
  troubled->lost = {1};
  features_.utterances[2].num_frames = 4;  // it had 5 when it was read
  features_.mels = troubled;
  UnreadableUtterances lost(features_.utterances.size());

  EXPECT_EQ(mel_or_loss(features_, 0, lost)->values.size(), 10U);
  for (int again = 0; again < 2; ++again) {
    EXPECT_FALSE(mel_or_loss(features_, 1, lost).has_value());
    EXPECT_FALSE(mel_or_loss(features_, 2, lost).has_value());
  }

  EXPECT_EQ(
      lost.take_news(),
      (std::vector<std::string>{"u1: its file is gone",
                                "u2: its recording has another length than when the run began"}));
}

// Samples that one waits for as long as the mels of the same utterances take.
class SlowSounds final : public WaveformStore {
 public:
  SlowSounds(std::shared_ptr<const TroubledMels> mels, std::shared_ptr<const WaveformStore> sounds)
      : mels_(std::move(mels)), sounds_(std::move(sounds)) {}

  std::int64_t copy(std::size_t utterance,
                    std::int64_t start,
                    std::span<float> place,
                    MelScratch& scratch) const override {
    mels_->read(utterance, scratch);
    return sounds_->copy(utterance, start, place, scratch);
  }

 private:
  const std::shared_ptr<const TroubledMels> mels_;
  const std::shared_ptr<const WaveformStore> sounds_;
};

TEST_F(PatientMelsTest, SamplesAreThoseOfTheOtherStoreAndNobodyWaitsForEver) {
  const auto plain = std::make_shared<MemoryWaveforms>(
      std::vector<std::vector<std::int16_t>>{{1, 2, 3, 4}, {5, 6}, {7}});
  troubled_->stuck = {1};
  const TimeoutWaveformStore sounds(std::make_shared<SlowSounds>(troubled_, plain),
                                    milliseconds(50));
  MelScratch scratch;
  std::vector<float> found(3);
  std::vector<float> expected(3);

  EXPECT_EQ(sounds.copy(0, 2, found, scratch), 4);
  EXPECT_EQ(plain->copy(0, 2, expected, scratch), 4);
  EXPECT_EQ(found, expected);
  EXPECT_THROW(sounds.copy(1, 0, found, scratch), UnreadableUtterance);
  troubled_->release();
}

}  // namespace
}  // namespace xtts::pipeline
