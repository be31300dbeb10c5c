#include "data/timeout_store.h"

#include <string>

#include <gtest/gtest.h>

#include "data/unreadable_utterances.h"
#include "unit/data/fault_injecting_mels.h"
#include "unit/data/random_corpus.h"

namespace myxtts::data {
namespace {

using std::chrono::milliseconds;

class TimeoutStoreTest : public testing::Test {
 protected:
  std::string unreadable_reason(const TimeoutMelStore& mels, std::size_t utterance) {
    MelScratch scratch;
    try {
      mels.read(utterance, scratch);
    } catch (const UnreadableUtterance& error) {
      return error.what();
    }
    return "";
  }

  FeatureSet features_ = synthetic_features({{2, 5}, {3, 9}, {1, 4}}, 1);
  const std::shared_ptr<FaultInjectingMels> faulty_ =
      std::make_shared<FaultInjectingMels>(features_.mels);
};

TEST_F(TimeoutStoreTest, ReturnsTheMelsOfTheOtherStore) {
  const TimeoutMelStore mels(features_.mels);
  MelScratch with_timeout;
  MelScratch direct;
  for (std::size_t i = 0; i < features_.utterances.size(); ++i) {
    const std::span<const float> found = mels.read(i, with_timeout);
    const std::span<const float> expected = features_.mels->read(i, direct);
    EXPECT_EQ(std::vector(found.begin(), found.end()),
              std::vector(expected.begin(), expected.end()));
  }
}

TEST_F(TimeoutStoreTest, EndlessReadIsAnUnreadableUtterance) {
  faulty_->stuck = {1};
  const TimeoutMelStore mels(faulty_, milliseconds(50));

  EXPECT_EQ(unreadable_reason(mels, 1), "reading it did not end within 0.1 s");

  MelScratch scratch;
  EXPECT_EQ(mels.read(2, scratch).size(), 8U);
  faulty_->release();
}

TEST_F(TimeoutStoreTest, RethrowsReadErrors) {
  faulty_->unreadable = {0};
  faulty_->broken = {2};
  const TimeoutMelStore mels(faulty_);

  EXPECT_EQ(unreadable_reason(mels, 0), "file is missing");
  MelScratch scratch;
  EXPECT_THROW(mels.read(2, scratch), BugError);
}

TEST_F(TimeoutStoreTest, TryReadMelRecordsAnUnreadableUtteranceOnce) {
  features_ = synthetic_features(std::vector<Lengths>(40, {2, 5}), 1);
  const auto faulty = std::make_shared<FaultInjectingMels>(features_.mels);
  faulty->unreadable = {1};
  features_.utterances[2].num_frames = 4;  // its mel has 5
  features_.mels = faulty;
  UnreadableUtterances unreadable(features_.utterances.size());

  EXPECT_EQ(try_read_mel(features_, 0, unreadable)->values.size(), 10U);
  for (int again = 0; again < 2; ++again) {
    EXPECT_FALSE(try_read_mel(features_, 1, unreadable).has_value());
    EXPECT_FALSE(try_read_mel(features_, 2, unreadable).has_value());
  }

  EXPECT_EQ(unreadable.take_unreported(),
            (std::vector<std::string>{
                "u1: file is missing",
                "u2: the length of the recording has changed since the run began"}));
}

// Waveforms that take as long to read as the mels of the same utterances.
class SlowWaveforms final : public WaveformStore {
 public:
  SlowWaveforms(std::shared_ptr<const FaultInjectingMels> mels,
                std::shared_ptr<const WaveformStore> waveforms)
      : mels_(std::move(mels)), waveforms_(std::move(waveforms)) {}

  std::int64_t copy(std::size_t utterance,
                    std::int64_t start,
                    std::span<float> samples,
                    MelScratch& scratch) const override {
    mels_->read(utterance, scratch);
    return waveforms_->copy(utterance, start, samples, scratch);
  }

 private:
  const std::shared_ptr<const FaultInjectingMels> mels_;
  const std::shared_ptr<const WaveformStore> waveforms_;
};

TEST_F(TimeoutStoreTest, ReturnsTheWaveformsOfTheOtherStoreWithATimeout) {
  const auto direct = std::make_shared<MemoryWaveforms>(
      std::vector<std::vector<std::int16_t>>{{1, 2, 3, 4}, {5, 6}, {7}});
  faulty_->stuck = {1};
  const TimeoutWaveformStore waveforms(std::make_shared<SlowWaveforms>(faulty_, direct),
                                       milliseconds(50));
  MelScratch scratch;
  std::vector<float> found(3);
  std::vector<float> expected(3);

  EXPECT_EQ(waveforms.copy(0, 2, found, scratch), 4);
  EXPECT_EQ(direct->copy(0, 2, expected, scratch), 4);
  EXPECT_EQ(found, expected);
  EXPECT_THROW(waveforms.copy(1, 0, found, scratch), UnreadableUtterance);
  faulty_->release();
}

}  // namespace
}  // namespace myxtts::data
