// Batches of sound. Those of texts and mels are in loader_test.cpp.
#include "pipeline/collator.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "pipeline/batch_sampler.h"
#include "pipeline/run_plan.h"
#include "unit/pipeline/random_corpus.h"
#include "unit/pipeline/small_run.h"

namespace xtts::pipeline {
namespace {

constexpr std::int64_t kHop = 4;
constexpr std::int64_t kHops = 24;
constexpr float kPad = -11.5F;

// Sample s of utterance i is i * 1000 + s, in steps of 16 bits.
SmallRun sound_run(int count = 24) {
  SmallRun made = small_run(/*grad_accum=*/1, /*crop_frames=*/0, count);
  std::vector<std::vector<std::int16_t>> sounds;
  for (std::size_t i = 0; i < made.features.utterances.size(); ++i) {
    const std::int64_t frames = made.features.utterances[i].num_frames;
    std::vector<std::int16_t>& sound = sounds.emplace_back();
    for (std::int64_t s = 0; s < (frames - 1) * kHop + 3; ++s)
      sound.push_back(static_cast<std::int16_t>(static_cast<std::int64_t>(i) * 1000 + s));
  }
  made.features.sounds = std::make_shared<MemoryWaveforms>(std::move(sounds));
  made.features.crop_hops = kHops;
  made.lengths = made.features.lengths();
  made.plan = fixed_shape_plan({.batch = 4, .text = 0, .mel = kHops + 1, .samples = kHops * kHop});
  made.settings.reference_frames = 0;
  return made;
}

float sample_at(std::size_t utterance, std::int64_t s) {
  return from_16_bits(static_cast<std::int16_t>(static_cast<std::int64_t>(utterance) * 1000 + s));
}

TEST(SoundBatches, HoldTheFramesOfTheWholeMelAndTheSamplesBetweenThem) {
  const SmallRun made = sound_run();
  BatchSampler loader(made.features, made.plan, made.settings);

  for (std::int64_t update = 0; update < 2 * loader.batches_in_epoch(); ++update) {
    Batch now = loader.next();
    MicroBatch& batch = now.micro_batches.at(0);
    for (std::size_t row = 0; row < batch.ids.size(); ++row) {
      const std::size_t utterance = batch.utterances[row];
      const std::int64_t frames = made.features.utterances[utterance].num_frames;
      const std::int64_t start = batch.crop_starts[row];
      const std::int64_t there = std::min(frames, kHops + 1);
      ASSERT_EQ(batch.mel_lengths[row], there);
      ASSERT_LE(start + there, frames);
      const std::vector<float> whole = made.features.mel(utterance).values;
      const auto mel = row_of(batch.mel, row, 4);
      for (std::int64_t i = 0; i < 2 * there; ++i)
        ASSERT_EQ(mel[static_cast<std::size_t>(i)], whole[static_cast<std::size_t>(2 * start + i)]);
      const auto sound = row_of(batch.sound, row, 4);
      for (std::int64_t s = 0; s < (there - 1) * kHop; ++s)
        ASSERT_EQ(sound[static_cast<std::size_t>(s)], sample_at(utterance, start * kHop + s));
    }
    EXPECT_EQ(now.counts.utterances, 4);
    EXPECT_EQ(now.counts.symbols, 0);
  }
}

TEST(SoundBatches, AShortUtteranceIsPaddedWithSilence) {
  SmallRun made = sound_run();
  BatchSampler loader(made.features, made.plan, made.settings);
  bool is_seen = false;
  for (std::int64_t update = 0; update < loader.batches_in_epoch(); ++update) {
    Batch now = loader.next();
    MicroBatch& batch = now.micro_batches.at(0);
    for (std::size_t row = 0; row < batch.ids.size(); ++row) {
      const std::int64_t there = batch.mel_lengths[row];
      if (there == kHops + 1) continue;
      is_seen = true;
      EXPECT_EQ(row_of(batch.mel, row, 4).back(), kPad);
      EXPECT_EQ(row_of(batch.sound, row, 4).back(), 0.0F);
      EXPECT_EQ(batch.crop_starts[row], 0);
    }
  }
  EXPECT_TRUE(is_seen);
}

TEST(SoundBatches, AreAnotherCropInAnotherEpochAndTheSameOnesAgain) {
  const SmallRun made = sound_run();
  BatchSampler loader(made.features, made.plan, made.settings);
  BatchSampler again(made.features, made.plan, made.settings);
  std::vector<std::vector<std::int64_t>> starts(2);
  for (std::vector<std::int64_t>& of_epoch : starts) {
    of_epoch.resize(made.features.utterances.size(), -1);
    for (std::int64_t update = 0; update < loader.batches_in_epoch(); ++update) {
      const Batch now = loader.next();
      expect_same_update(now, again.next());
      const MicroBatch& batch = now.micro_batches.at(0);
      for (std::size_t row = 0; row < batch.ids.size(); ++row)
        of_epoch[batch.utterances[row]] = batch.crop_starts[row];
    }
  }

  EXPECT_NE(starts[0], starts[1]);
}

TEST(SoundBatches, ARecordingOfAnotherLengthIsLostAndReplaced) {
  SmallRun made = sound_run();
  std::vector<std::vector<std::int16_t>> sounds;
  for (const Features& one : made.features.utterances)
    sounds.emplace_back(static_cast<std::size_t>((one.num_frames - 1) * kHop));
  sounds[3].resize(sounds[3].size() + kHop);
  made.features.sounds = std::make_shared<MemoryWaveforms>(std::move(sounds));
  BatchSampler loader(made.features, made.plan, made.settings);

  for (std::int64_t i = 0; i < 2 * loader.batches_in_epoch(); ++i) {
    const Batch update = loader.next();
    for (const std::size_t utterance : update.micro_batches.at(0).utterances)
      EXPECT_NE(utterance, 3U);
  }
  EXPECT_TRUE(loader.maker().lost().is_lost(3));
}

TEST(SoundBatches, ValidationHasEveryUtteranceOnceAndEmptyRowsAreSilent) {
  const SmallRun made = sound_run(22);

  std::vector<Batch> updates = validation_batches(made.features, made.plan, made.settings);

  ASSERT_EQ(updates.size(), 6U);
  EXPECT_EQ(updates[0].counts.utterances, 22);
  MicroBatch& last = updates.back().micro_batches.at(0);
  EXPECT_EQ(last.mel_lengths,
            (std::vector<std::int64_t>{last.mel_lengths[0], last.mel_lengths[1], 0, 0}));
  EXPECT_EQ(std::ranges::count(row_of(last.sound, 3, 4), 0.0F), kHops * kHop);
}

TEST(SoundBatches, HaveOneSignatureOfCrops) {
  config::Config config;

  const ShapePlan plan = plan_waveforms(config, 1000);
  const ShapePlan few = plan_waveforms(config, 20);

  EXPECT_EQ(plan.signatures,
            (std::vector<Signature>{{.batch = 16, .text = 0, .mel = 65, .samples = 16384}}));
  EXPECT_EQ(name_of(plan.signatures[0]), "16x65x16384");
  EXPECT_EQ(few.signatures[0].batch, 5);
  EXPECT_EQ(few.notes.size(), 1U);
}

}  // namespace
}  // namespace xtts::pipeline
