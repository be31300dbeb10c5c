#include "train/gta_mels_torch.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/temp_dir.h"
#include "train/trainer_torch.h"
#include "unit/corpus/corpus_folder.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::train {
namespace {

// A corpus of hummed tones and a voice trained on it for two steps.
struct GtaFixture {
  GtaFixture() {
    std::string metadata;
    for (int i = 0; i < 16; ++i) {
      const std::string id = "u" + std::to_string(i);
      metadata += id + "|la la la\n";
      dir.write("wavs/" + id + ".wav", corpus::hum_wav(0.3 + 0.02 * (i % 9)));
    }
    dir.write("metadata.csv", metadata);
    config = corpus::grapheme_config();
    const int n_mels = config.model.n_mels;
    config.model = model::small_config();
    config.model.n_mels = n_mels;
    config.data.dataset_path = dir.path().string();
    config.data.batch_size = 4;
    config.data.val_split = 0.25;
    config.data.num_workers = 0;
    config.training.checkpoint_dir = (dir.path() / "voice").string();
    config.training.precision = "fp32";
    config.training.max_steps = 2;
    config.training.spectrogram_log_interval = 0;
    config.training.enable_text2audio_eval = false;
    TrainRequest request;
    request.resolved.config = config;
    testing::internal::CaptureStderr();
    train(request);
    recorded =
        load_corpora(config, 0, nullptr, std::numeric_limits<std::size_t>::max(), Task::kVocoder);
    testing::internal::GetCapturedStderr();
  }

  Corpora gta_corpora() {
    config.data.mels_from = (dir.path() / "voice").string();
    testing::internal::CaptureStderr();
    Corpora corpora = with_gta_mels(recorded, config);
    testing::internal::GetCapturedStderr();
    return corpora;
  }

  support::TempDir dir;
  config::Config config;
  Corpora recorded;
};

TEST(GtaMels, ReplacesEverySecondMelDeterministicallyWithTheSameLength) {
  GtaFixture fixture;

  const Corpora once = fixture.gta_corpora();
  const Corpora again = fixture.gta_corpora();

  ASSERT_EQ(once.training.utterances.size(), fixture.recorded.training.utterances.size());
  ASSERT_GT(once.validation.utterances.size(), 0U);
  for (std::size_t i = 0; i < once.training.utterances.size(); ++i) {
    const audio::Mel mel = once.training.mel(i);
    EXPECT_EQ(mel.num_frames, fixture.recorded.training.mel(i).num_frames);
    EXPECT_EQ(mel.values == fixture.recorded.training.mel(i).values, i % 2 == 1);
    EXPECT_EQ(mel.values, again.training.mel(i).values);
  }
  EXPECT_EQ(once.training.waveforms, fixture.recorded.training.waveforms);
  EXPECT_EQ(once.training.crop_hops, fixture.recorded.training.crop_hops);
}

TEST(GtaMels, EverySpeakerHasRecordedAndGtaMels) {
  GtaFixture fixture;
  data::FeatureSet& recorded = fixture.recorded.training;
  recorded.speakers = {"anna", "ben"};
  for (std::size_t i = 0; i < recorded.utterances.size(); ++i)
    recorded.utterances[i].speaker = i % 2;

  const Corpora corpora = fixture.gta_corpora();

  for (std::size_t i = 0; i < recorded.utterances.size(); ++i)
    EXPECT_EQ(corpora.training.mel(i).values == recorded.mel(i).values, i / 2 % 2 == 1) << i;
}

TEST(GtaMels, DependOnTheTextOfTheirUtterance) {
  GtaFixture fixture;
  const Corpora before = fixture.gta_corpora();
  ASSERT_EQ(fixture.recorded.training.utterances[2].transcript, "la la la");
  fixture.recorded.training.utterances[2].transcript = "so so";

  const Corpora after = fixture.gta_corpora();

  for (std::size_t i = 0; i < before.training.utterances.size(); ++i)
    EXPECT_EQ(after.training.mel(i).values == before.training.mel(i).values, i != 2) << i;
}

TEST(GtaMels, OnlyGtaMelsAreKeptInMemoryAndCounted) {
  GtaFixture fixture;
  const Corpora corpora = fixture.gta_corpora();
  double bytes = 0.0;
  for (const data::FeatureSet* set : {&corpora.training, &corpora.validation}) {
    for (std::size_t i = 0; i < set->utterances.size(); i += 2)
      bytes += 4.0 * static_cast<double>(set->mel(i).values.size());
  }

  EXPECT_EQ(gta_mel_bytes(corpora, fixture.config), bytes);
  data::MelScratch scratch;
  EXPECT_EQ(corpora.training.mels->read(1, scratch).data(),
            fixture.recorded.training.mels->read(1, scratch).data());
  fixture.config.training.memory_budget = "1MB";
  EXPECT_THROW(fixture.gta_corpora(), UsageError);
  testing::internal::GetCapturedStderr();
}

TEST(GtaMels, LeaveAnUnreadableUtteranceToTheLoader) {
  GtaFixture fixture;
  fixture.recorded.training.utterances[2].num_frames += 1;

  const Corpora corpora = fixture.gta_corpora();

  EXPECT_THROW(corpora.training.mel(2), data::UnreadableUtterance);
  EXPECT_NE(corpora.training.mel(4).values, fixture.recorded.training.mel(4).values);
}

TEST(GtaMels, AreNotUsedWithoutAVoice) {
  GtaFixture fixture;

  const Corpora corpora = with_gta_mels(fixture.recorded, fixture.config);

  EXPECT_EQ(corpora.training.mels, fixture.recorded.training.mels);
}

TEST(GtaMels, RejectAVoiceWithAnotherMelSpec) {
  GtaFixture fixture;
  fixture.config.model.mel_fmax = 7000.0;

  EXPECT_THROW(fixture.gta_corpora(), UserError);
  testing::internal::GetCapturedStderr();
}

}  // namespace
}  // namespace myxtts::train
