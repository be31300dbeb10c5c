#include "pipeline/loader.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/pipeline/random_corpus.h"

namespace xtts::pipeline {
namespace {

constexpr float kPad = -11.5F;

// A corpus, its plan and the settings of a loader, all small.
struct Small {
  std::vector<Lengths> lengths;
  FeatureSet features;
  ShapePlan plan;
  LoaderSettings settings;
};

Small small(int grad_accum = 1, std::int64_t crop_frames = 0) {
  base::Random random(5);
  Small made;
  for (int i = 0; i < 60; ++i) {
    const std::int64_t mel = between(random, 10, 60);
    made.lengths.push_back({.text = between(random, 1, mel), .mel = mel});
  }
  made.features = made_up_features(made.lengths, 3);
  made.plan = make_shape_plan(made.lengths,
                              {.batch_size = 4, .grad_accum = grad_accum, .max_signatures = {}});
  made.settings = {.seed = 7,
                   .grad_accum = grad_accum,
                   .reference_frames = 16,
                   .crop_frames = crop_frames,
                   .mel_pad = kPad};
  return made;
}

void expect_equal(const Update& a, const Update& b) {
  EXPECT_EQ(a.counts, b.counts);
  EXPECT_EQ(a.epoch, b.epoch);
  EXPECT_EQ(a.next, b.next);
  ASSERT_EQ(a.micro_batches.size(), b.micro_batches.size());
  for (std::size_t i = 0; i < a.micro_batches.size(); ++i) {
    const Batch& one = a.micro_batches[i];
    const Batch& other = b.micro_batches[i];
    EXPECT_EQ(one.signature, other.signature);
    EXPECT_EQ(one.text, other.text);
    EXPECT_EQ(one.mel, other.mel);
    EXPECT_EQ(one.text_lengths, other.text_lengths);
    EXPECT_EQ(one.mel_lengths, other.mel_lengths);
    EXPECT_EQ(one.reference, other.reference);
    EXPECT_EQ(one.crop_starts, other.crop_starts);
    EXPECT_EQ(one.ids, other.ids);
  }
}

// Every value of the batch is where the shapes say, and everything else is padding.
void expect_rows_hold_their_utterances(const Small& made, const Batch& batch) {
  const auto rows = static_cast<std::size_t>(batch.signature.batch);
  const auto T = static_cast<std::size_t>(batch.signature.text);
  const auto M = static_cast<std::size_t>(batch.signature.mel);
  ASSERT_EQ(batch.text.size(), rows * T);
  ASSERT_EQ(batch.mel.size(), rows * M * 2);
  ASSERT_EQ(batch.reference.size(), rows * 16 * 2);
  for (std::size_t row = 0; row < rows; ++row) {
    const Features& features = made.features.utterances[batch.utterances[row]];
    const bool empty = batch.ids[row].empty();
    ASSERT_EQ(batch.text_lengths[row], empty ? 0 : std::ssize(features.text));
    ASSERT_EQ(batch.mel_lengths[row], empty ? 0 : features.mel.num_frames);
    EXPECT_EQ(batch.ids[row], empty ? "" : features.id);
    for (std::size_t t = 0; t < T; ++t) {
      const bool valid = static_cast<std::int64_t>(t) < batch.text_lengths[row];
      ASSERT_EQ(batch.text[row * T + t], valid ? features.text[t] : 0);
    }
    for (std::size_t value = 0; value < M * 2; ++value) {
      const bool valid = static_cast<std::int64_t>(value / 2) < batch.mel_lengths[row];
      ASSERT_EQ(batch.mel[row * M * 2 + value], valid ? features.mel.values[value] : kPad);
    }
  }
}

TEST(Loader, RowsHoldTheirUtterancesAndElsePadding) {
  const Small made = small();
  Loader loader(made.features, made.plan, made.settings);

  for (std::int64_t i = loader.updates_in_epoch(0); i > 0; --i) {
    for (const Batch& batch : loader.next().micro_batches)
      expect_rows_hold_their_utterances(made, batch);
  }
  EXPECT_EQ(loader.position(), (LoaderPosition{1, 0}));
}

TEST(Loader, ASeekContinuesBitForBit) {
  const Small made = small(2, 12);
  Loader straight(made.features, made.plan, made.settings);

  for (int i = 0; i < 40; ++i) {
    const LoaderPosition before = straight.position();
    const Update expected = straight.next();
    Loader resumed(made.features, made.plan, made.settings);
    resumed.seek(before);
    expect_equal(resumed.next(), expected);
    EXPECT_EQ(resumed.position(), expected.next);
  }
  EXPECT_GE(straight.position().epoch, 2);
}

}  // namespace
}  // namespace xtts::pipeline
