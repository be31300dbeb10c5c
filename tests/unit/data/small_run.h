// A small corpus with its plan and loader settings, and a comparison of batches.
#pragma once

#include <gtest/gtest.h>

#include "data/batch_sampler.h"
#include "unit/data/random_corpus.h"

namespace myxtts::data {

struct SmallRun {
  std::vector<Lengths> lengths;
  FeatureSet features;
  ShapePlan plan;
  LoaderSettings settings;
};

inline SmallRun small_run(int grad_accum = 1,
                          std::int64_t crop_frames = 0,
                          int num_utterances = 60,
                          std::uint64_t seed = 5) {
  base::Random random(seed);
  SmallRun run;
  for (int i = 0; i < num_utterances; ++i) {
    const std::int64_t mel = between(random, 10, 60);
    run.lengths.push_back({.text = between(random, 1, mel), .mel = mel});
  }
  run.features = synthetic_features(run.lengths, 3);
  run.plan = make_shape_plan(run.lengths,
                             {.batch_size = 4, .grad_accum = grad_accum, .max_signatures = {}});
  run.settings = {.seed = 7,
                  .grad_accum = grad_accum,
                  .reference_frames = 16,
                  .crop_frames = crop_frames,
                  .mel_pad = -11.5F};
  return run;
}

inline void expect_same_batch(const Batch& a, const Batch& b) {
  EXPECT_EQ(a.counts, b.counts);
  EXPECT_EQ(a.epoch, b.epoch);
  EXPECT_EQ(a.next, b.next);
  ASSERT_EQ(a.micro_batches.size(), b.micro_batches.size());
  for (std::size_t i = 0; i < a.micro_batches.size(); ++i) {
    const MicroBatch& one = a.micro_batches[i];
    const MicroBatch& other = b.micro_batches[i];
    EXPECT_EQ(one.signature, other.signature);
    EXPECT_EQ(one.text, other.text);
    EXPECT_EQ(one.mel, other.mel);
    EXPECT_EQ(one.text_lengths, other.text_lengths);
    EXPECT_EQ(one.mel_lengths, other.mel_lengths);
    EXPECT_EQ(one.reference, other.reference);
    EXPECT_EQ(one.waveform, other.waveform);
    EXPECT_EQ(one.crop_starts, other.crop_starts);
    EXPECT_EQ(one.utterances, other.utterances);
    EXPECT_EQ(one.ids, other.ids);
  }
}

}  // namespace myxtts::data
