// Waveform batches. batch_sampler_test.cpp tests text and mel batches.
#include "data/collator.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "data/batch_sampler.h"
#include "data/run_plan.h"
#include "unit/data/random_corpus.h"
#include "unit/data/small_run.h"

namespace myxtts::data {
namespace {

constexpr std::int64_t kHop = 4;
constexpr std::int64_t kHops = 24;
constexpr float kPad = -11.5F;

// Sample s of utterance i is i * 1000 + s, as a 16-bit integer.
SmallRun waveform_run(int count = 24) {
  SmallRun run = small_run(/*grad_accum=*/1, /*crop_frames=*/0, count);
  std::vector<std::vector<std::int16_t>> waveforms;
  for (std::size_t i = 0; i < run.features.utterances.size(); ++i) {
    const std::int64_t frames = run.features.utterances[i].num_frames;
    std::vector<std::int16_t>& waveform = waveforms.emplace_back();
    for (std::int64_t s = 0; s < (frames - 1) * kHop + 3; ++s)
      waveform.push_back(static_cast<std::int16_t>(static_cast<std::int64_t>(i) * 1000 + s));
  }
  run.features.waveforms = std::make_shared<MemoryWaveforms>(std::move(waveforms));
  run.features.crop_hops = kHops;
  run.lengths = run.features.lengths();
  run.plan = fixed_shape_plan({.batch = 4, .text = 0, .mel = kHops + 1, .samples = kHops * kHop});
  run.settings.reference_frames = 0;
  return run;
}

float sample_at(std::size_t utterance, std::int64_t s) {
  return from_16_bits(static_cast<std::int16_t>(static_cast<std::int64_t>(utterance) * 1000 + s));
}

TEST(WaveformBatches, HoldFramesOfTheWholeMelAndTheSamplesBetweenThem) {
  const SmallRun run = waveform_run();
  BatchSampler sampler(run.features, run.plan, run.settings);

  for (std::int64_t batch = 0; batch < 2 * sampler.batches_in_epoch(); ++batch) {
    Batch now = sampler.next();
    MicroBatch& micro_batch = now.micro_batches.at(0);
    for (std::size_t row = 0; row < micro_batch.ids.size(); ++row) {
      const std::size_t utterance = micro_batch.utterances[row];
      const std::int64_t frames = run.features.utterances[utterance].num_frames;
      const std::int64_t start = micro_batch.crop_starts[row];
      const std::int64_t length = std::min(frames, kHops + 1);
      ASSERT_EQ(micro_batch.mel_lengths[row], length);
      ASSERT_LE(start + length, frames);
      const std::vector<float> whole = run.features.mel(utterance).values;
      const auto mel = row_of(micro_batch.mel, row, 4);
      for (std::int64_t i = 0; i < 2 * length; ++i)
        ASSERT_EQ(mel[static_cast<std::size_t>(i)], whole[static_cast<std::size_t>(2 * start + i)]);
      const auto waveform = row_of(micro_batch.waveform, row, 4);
      for (std::int64_t s = 0; s < (length - 1) * kHop; ++s)
        ASSERT_EQ(waveform[static_cast<std::size_t>(s)], sample_at(utterance, start * kHop + s));
    }
    EXPECT_EQ(now.counts.utterances, 4);
    EXPECT_EQ(now.counts.symbols, 0);
  }
}

TEST(WaveformBatches, ShortUtteranceIsPaddedWithSilence) {
  SmallRun run = waveform_run();
  BatchSampler sampler(run.features, run.plan, run.settings);
  bool is_found = false;
  for (std::int64_t batch = 0; batch < sampler.batches_in_epoch(); ++batch) {
    Batch now = sampler.next();
    MicroBatch& micro_batch = now.micro_batches.at(0);
    for (std::size_t row = 0; row < micro_batch.ids.size(); ++row) {
      const std::int64_t length = micro_batch.mel_lengths[row];
      if (length == kHops + 1) continue;
      is_found = true;
      EXPECT_EQ(row_of(micro_batch.mel, row, 4).back(), kPad);
      EXPECT_EQ(row_of(micro_batch.waveform, row, 4).back(), 0.0F);
      EXPECT_EQ(micro_batch.crop_starts[row], 0);
    }
  }
  EXPECT_TRUE(is_found);
}

TEST(WaveformBatches, CropsDifferBetweenEpochsAndAreReproducible) {
  const SmallRun run = waveform_run();
  BatchSampler sampler(run.features, run.plan, run.settings);
  BatchSampler again(run.features, run.plan, run.settings);
  std::vector<std::vector<std::int64_t>> starts(2);
  for (std::vector<std::int64_t>& of_epoch : starts) {
    of_epoch.resize(run.features.utterances.size(), -1);
    for (std::int64_t batch = 0; batch < sampler.batches_in_epoch(); ++batch) {
      const Batch now = sampler.next();
      expect_same_batch(now, again.next());
      const MicroBatch& micro_batch = now.micro_batches.at(0);
      for (std::size_t row = 0; row < micro_batch.ids.size(); ++row)
        of_epoch[micro_batch.utterances[row]] = micro_batch.crop_starts[row];
    }
  }

  EXPECT_NE(starts[0], starts[1]);
}

TEST(WaveformBatches, RecordingOfChangedLengthIsReplaced) {
  SmallRun run = waveform_run();
  std::vector<std::vector<std::int16_t>> waveforms;
  for (const Features& one : run.features.utterances)
    waveforms.emplace_back(static_cast<std::size_t>((one.num_frames - 1) * kHop));
  waveforms[3].resize(waveforms[3].size() + kHop);
  run.features.waveforms = std::make_shared<MemoryWaveforms>(std::move(waveforms));
  BatchSampler sampler(run.features, run.plan, run.settings);

  for (std::int64_t i = 0; i < 2 * sampler.batches_in_epoch(); ++i) {
    const Batch batch = sampler.next();
    for (const std::size_t utterance : batch.micro_batches.at(0).utterances)
      EXPECT_NE(utterance, 3U);
  }
  EXPECT_TRUE(sampler.collator().unreadable().contains(3));
}

TEST(WaveformBatches, ValidationHasEveryUtteranceOnceAndEmptyRowsAreSilent) {
  const SmallRun run = waveform_run(22);

  std::vector<Batch> batches = validation_batches(run.features, run.plan, run.settings);

  ASSERT_EQ(batches.size(), 6U);
  EXPECT_EQ(batches[0].counts.utterances, 22);
  MicroBatch& last = batches.back().micro_batches.at(0);
  EXPECT_EQ(last.mel_lengths,
            (std::vector<std::int64_t>{last.mel_lengths[0], last.mel_lengths[1], 0, 0}));
  EXPECT_EQ(std::ranges::count(row_of(last.waveform, 3, 4), 0.0F), kHops * kHop);
}

TEST(WaveformBatches, HaveOneSignatureOfCrops) {
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
}  // namespace myxtts::data
