#include "pipeline/patient_mels.h"

#include <string>

#include <gtest/gtest.h>

#include "pipeline/lost_utterances.h"
#include "unit/pipeline/random_corpus.h"
#include "unit/pipeline/troubled_mels.h"

namespace xtts::pipeline {
namespace {

using std::chrono::milliseconds;

class PatientMelsTest : public testing::Test {
 protected:
  std::string why_lost(const PatientMels& mels, std::size_t utterance) {
    MelScratch scratch;
    try {
      mels.read(utterance, scratch);
    } catch (const LostUtterance& error) {
      return error.what();
    }
    return "";
  }

  FeatureSet features_ = made_up_features({{2, 5}, {3, 9}, {1, 4}}, 1);
  const std::shared_ptr<TroubledMels> troubled_ = std::make_shared<TroubledMels>(features_.mels);
};

TEST_F(PatientMelsTest, AreTheMelsOfTheOtherStore) {
  const PatientMels mels(features_.mels);
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
  const PatientMels mels(troubled_, milliseconds(50));

  EXPECT_EQ(why_lost(mels, 1), "reading it did not end within 0.1 s");

  MelScratch scratch;
  EXPECT_EQ(mels.read(2, scratch).size(), 8U);
  troubled_->release();
}

TEST_F(PatientMelsTest, WhatReadingThrowsArrives) {
  troubled_->lost = {0};
  troubled_->broken = {2};
  const PatientMels mels(troubled_);

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
  LostUtterances lost(features_.utterances.size());

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

}  // namespace
}  // namespace xtts::pipeline
