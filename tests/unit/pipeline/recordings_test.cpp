#include "pipeline/recordings.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "support/temp_dir.h"
#include "unit/corpus/corpus_folder.h"

namespace xtts::pipeline {
namespace {

class RecordingsTest : public testing::Test {
 protected:
  RecordingsTest() {
    dir_.write("wavs/a.wav", corpus::hum_wav(0.5));
    utterance_ = {.id = "a", .audio = "wavs/a.wav", .text = "hello", .speaker = "", .line = 1};
  }

  std::shared_ptr<Recordings> recordings(std::shared_ptr<FeatureCache> cache = nullptr) const {
    return std::make_shared<Recordings>(dir_.path(), config_, std::move(cache));
  }

  RecordedMel read(std::shared_ptr<FeatureCache> cache = nullptr) {
    const auto all = recordings(std::move(cache));
    return all->read(utterance_, all->path_of(utterance_), scratch_);
  }

  std::shared_ptr<FeatureCache> cache() const {
    return std::make_shared<FeatureCache>(CacheSettings{.folder = dir_.path() / "cache",
                                                        .contract = "made up",
                                                        .limit_bytes = 10'000'000,
                                                        .on_notice = {}});
  }

  support::TempDir dir_;
  config::Config config_ = corpus::grapheme_config();
  corpus::Utterance utterance_;
  MelScratch scratch_;
};

TEST_F(RecordingsTest, AMelOutOfTheCacheIsTheComputedOne) {
  const RecordedMel plain = read();
  ASSERT_FALSE(plain.problem);
  const std::vector<float> expected(plain.values.begin(), plain.values.end());

  const auto kept = cache();
  for (int i = 0; i < 2; ++i) {
    const RecordedMel found = read(kept);
    EXPECT_EQ(std::vector<float>(found.values.begin(), found.values.end()), expected);
    EXPECT_EQ(found.num_frames, plain.num_frames);
    EXPECT_EQ(found.speech_s, plain.speech_s);
  }
  EXPECT_EQ(kept->counts().misses, 1U);
  EXPECT_EQ(kept->counts().hits, 1U);
}

TEST_F(RecordingsTest, AMelThatIsMadeGoesToItsPlaceWhereItFits) {
  const RecordedMel elsewhere = read();
  const std::vector<float> expected(elsewhere.values.begin(), elsewhere.values.end());

  std::vector<float> place(expected.size() + 3, 7.0F);
  scratch_.place = place;
  const RecordedMel there = read();
  EXPECT_EQ(there.values.data(), place.data());
  EXPECT_EQ(std::vector<float>(there.values.begin(), there.values.end()), expected);
  EXPECT_EQ(std::vector<float>(place.end() - 3, place.end()), std::vector<float>(3, 7.0F));

  scratch_.place = std::span(place).first(expected.size() - 1);
  const RecordedMel no_room = read();
  EXPECT_NE(no_room.values.data(), place.data());
  EXPECT_EQ(std::vector<float>(no_room.values.begin(), no_room.values.end()), expected);
}

TEST_F(RecordingsTest, LimitsHoldForCachedOnesToo) {
  const auto kept = cache();
  ASSERT_FALSE(read(kept).problem);
  config_.data.min_audio_length = 0.7;
  const RecordedMel refused = read(kept);
  ASSERT_TRUE(refused.problem);
  EXPECT_EQ(refused.problem->reason, "too_short");
}

TEST_F(RecordingsTest, ARecordingThatIsGoneIsALostUtterance) {
  const RecordedMels mels(recordings(), {utterance_});
  EXPECT_FALSE(mels.read(0, scratch_).empty());
  std::filesystem::remove(dir_.path() / "wavs/a.wav");
  try {
    mels.read(0, scratch_);
    FAIL() << "read a recording that is gone";
  } catch (const UnreadableUtterance& error) {
    EXPECT_NE(std::string(error.what()).find("missing"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace xtts::pipeline
