#include "data/recordings.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "support/temp_dir.h"
#include "unit/corpus/corpus_folder.h"

namespace myxtts::data {
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
                                                        .mel_key = "key",
                                                        .limit_bytes = 10'000'000,
                                                        .on_notice = {}});
  }

  support::TempDir dir_;
  config::Config config_ = corpus::grapheme_config();
  corpus::Utterance utterance_;
  MelScratch scratch_;
};

TEST_F(RecordingsTest, CachedMelEqualsTheComputedOne) {
  const RecordedMel computed = read();
  ASSERT_FALSE(computed.problem);
  const std::vector<float> expected(computed.values.begin(), computed.values.end());

  const auto shared = cache();
  for (int i = 0; i < 2; ++i) {
    const RecordedMel found = read(shared);
    EXPECT_EQ(std::vector<float>(found.values.begin(), found.values.end()), expected);
    EXPECT_EQ(found.num_frames, computed.num_frames);
    EXPECT_EQ(found.speech_s, computed.speech_s);
  }
  EXPECT_EQ(shared->counts().misses, 1U);
  EXPECT_EQ(shared->counts().hits, 1U);
}

TEST_F(RecordingsTest, MelIsComputedInPlaceIfItFits) {
  const RecordedMel elsewhere = read();
  const std::vector<float> expected(elsewhere.values.begin(), elsewhere.values.end());

  std::vector<float> destination(expected.size() + 3, 7.0F);
  scratch_.destination = destination;
  const RecordedMel in_place = read();
  EXPECT_EQ(in_place.values.data(), destination.data());
  EXPECT_EQ(std::vector<float>(in_place.values.begin(), in_place.values.end()), expected);
  EXPECT_EQ(std::vector<float>(destination.end() - 3, destination.end()),
            std::vector<float>(3, 7.0F));

  scratch_.destination = std::span(destination).first(expected.size() - 1);
  const RecordedMel no_room = read();
  EXPECT_NE(no_room.values.data(), destination.data());
  EXPECT_EQ(std::vector<float>(no_room.values.begin(), no_room.values.end()), expected);
}

TEST_F(RecordingsTest, LimitsApplyToCachedMels) {
  const auto shared = cache();
  ASSERT_FALSE(read(shared).problem);
  config_.data.min_audio_length = 0.7;
  const RecordedMel refused = read(shared);
  ASSERT_TRUE(refused.problem);
  EXPECT_EQ(refused.problem->reason, "too_short");
}

TEST_F(RecordingsTest, DeletedRecordingIsAnUnreadableUtterance) {
  const RecordedMels mels(recordings(), {utterance_});
  EXPECT_FALSE(mels.read(0, scratch_).empty());
  std::filesystem::remove(dir_.path() / "wavs/a.wav");
  try {
    mels.read(0, scratch_);
    FAIL() << "read a deleted recording";
  } catch (const UnreadableUtterance& error) {
    EXPECT_NE(std::string(error.what()).find("missing"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace myxtts::data
