#include "data/batch_sampler.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/data/small_run.h"

namespace myxtts::data {
namespace {

constexpr float kPad = -11.5F;

// Expects every value of the utterances in its row, and padding elsewhere.
void expect_rows_hold_their_utterances(const SmallRun& run, const MicroBatch& micro_batch) {
  const auto rows = static_cast<std::size_t>(micro_batch.signature.batch);
  const auto text_size = static_cast<std::size_t>(micro_batch.signature.text);
  const auto mel_size = static_cast<std::size_t>(micro_batch.signature.mel);
  ASSERT_EQ(micro_batch.text.size(), rows * text_size);
  ASSERT_EQ(micro_batch.mel.size(), rows * mel_size * 2);
  ASSERT_EQ(micro_batch.reference.size(), rows * 16 * 2);
  for (std::size_t row = 0; row < rows; ++row) {
    const Features& features = run.features.utterances[micro_batch.utterances[row]];
    const bool empty = micro_batch.ids[row].empty();
    ASSERT_EQ(micro_batch.text_lengths[row], empty ? 0 : std::ssize(features.text));
    ASSERT_EQ(micro_batch.mel_lengths[row], empty ? 0 : features.num_frames);
    EXPECT_EQ(micro_batch.ids[row], empty ? "" : features.id);
    for (std::size_t t = 0; t < text_size; ++t) {
      const bool valid = static_cast<std::int64_t>(t) < micro_batch.text_lengths[row];
      ASSERT_EQ(micro_batch.text[row * text_size + t], valid ? features.text[t] : 0);
    }
    const std::vector<float> mel = run.features.mel(micro_batch.utterances[row]).values;
    for (std::size_t value = 0; value < mel_size * 2; ++value) {
      const bool valid = static_cast<std::int64_t>(value / 2) < micro_batch.mel_lengths[row];
      ASSERT_EQ(micro_batch.mel[row * mel_size * 2 + value], valid ? mel[value] : kPad);
    }
  }
}

TEST(BatchSampler, RowsHoldTheirUtterancesAndPadding) {
  const SmallRun run = small_run();
  BatchSampler sampler(run.features, run.plan, run.settings);

  for (std::int64_t i = sampler.batches_in_epoch(); i > 0; --i) {
    for (const MicroBatch& micro_batch : sampler.next().micro_batches)
      expect_rows_hold_their_utterances(run, micro_batch);
  }
  EXPECT_EQ(sampler.position(), (LoaderPosition{1, 0}));
}

// Rows are padded behind their end and not cleared before, so old values must be overwritten.
TEST(BatchSampler, ReusedMemoryKeepsNoOldValues) {
  const SmallRun run = small_run(2, 12);
  BatchSampler sampler(run.features, run.plan, run.settings);
  BatchSampler fresh(run.features, run.plan, run.settings);
  CollatorScratch scratch;
  Batch used;

  for (int i = 0; i < 40; ++i) {
    for (MicroBatch& micro_batch : used.micro_batches) {
      std::ranges::fill(micro_batch.text, 77);
      std::ranges::fill(micro_batch.mel, 77.0F);
      std::ranges::fill(micro_batch.reference, 77.0F);
    }
    sampler.collate(sampler.next_job(), scratch, used);
    expect_same_batch(used, fresh.next());
  }
}

TEST(BatchSampler, SeekContinuesBitForBit) {
  const SmallRun run = small_run(2, 12);
  BatchSampler straight(run.features, run.plan, run.settings);

  for (int i = 0; i < 40; ++i) {
    const LoaderPosition before = straight.position();
    const Batch expected = straight.next();
    BatchSampler resumed(run.features, run.plan, run.settings);
    resumed.seek(before);
    expect_same_batch(resumed.next(), expected);
    EXPECT_EQ(resumed.position(), expected.next);
  }
  EXPECT_GE(straight.position().epoch, 2);
}

TEST(BatchSampler, EpochsFollowEachOther) {
  const SmallRun run = small_run();
  BatchSampler sampler(run.features, run.plan, run.settings);
  const std::int64_t per_epoch = sampler.batches_in_epoch();

  for (std::int64_t i = 0; i < 3 * per_epoch; ++i) {
    const Batch batch = sampler.next();
    const auto order = sample_epoch(7, i / per_epoch, run.plan, 1, run.lengths);
    const PlannedBatch& planned = order.at(static_cast<std::size_t>(i % per_epoch));
    EXPECT_EQ(batch.epoch, i / per_epoch);
    EXPECT_EQ(batch.micro_batches.at(0).signature, run.plan.signatures[planned.signature]);
    EXPECT_EQ(batch.micro_batches.at(0).utterances, planned.micro_batches[0]);
    EXPECT_EQ(batch.next, (LoaderPosition{(i + 1) / per_epoch, (i + 1) % per_epoch}));
    EXPECT_EQ(batch.next, sampler.position());
  }
}

TEST(BatchSampler, CountsAreThoseOfTheWholeBatch) {
  const SmallRun run = small_run(2, 12);
  BatchSampler sampler(run.features, run.plan, run.settings);

  for (int i = 0; i < 10; ++i) {
    const Batch batch = sampler.next();
    BatchCounts expected;
    ASSERT_EQ(batch.micro_batches.size(), 2U);
    EXPECT_EQ(batch.micro_batches[0].signature, batch.micro_batches[1].signature);
    for (const MicroBatch& micro_batch : batch.micro_batches) {
      for (const std::size_t u : micro_batch.utterances) {
        ++expected.utterances;
        expected.symbols += run.lengths[u].text;
        expected.frames += run.lengths[u].mel;
        expected.decoder_frames += std::min<std::int64_t>(12, run.lengths[u].mel);
      }
    }
    EXPECT_EQ(batch.counts, expected);
  }
}

TEST(BatchSampler, SplittingABatchChangesNeitherRowsNorCounts) {
  SmallRun run = small_run(1, 12);
  const ShapePlan whole = fixed_shape_plan({.batch = 4, .text = 64, .mel = 64});
  const ShapePlan halves = fixed_shape_plan({.batch = 2, .text = 64, .mel = 64});
  BatchSampler in_one(run.features, whole, run.settings);
  run.settings.grad_accum = 2;
  BatchSampler in_two(run.features, halves, run.settings);

  for (int i = 0; i < 20; ++i) {
    const MicroBatch one = in_one.next().micro_batches.at(0);
    const Batch split = in_two.next();
    std::vector<float> references;
    std::vector<float> mels;
    std::vector<std::int64_t> crops;
    for (const MicroBatch& half : split.micro_batches) {
      references.insert(references.end(), half.reference.begin(), half.reference.end());
      mels.insert(mels.end(), half.mel.begin(), half.mel.end());
      crops.insert(crops.end(), half.crop_starts.begin(), half.crop_starts.end());
    }
    EXPECT_EQ(mels, one.mel);
    EXPECT_EQ(references, one.reference);
    EXPECT_EQ(crops, one.crop_starts);
    EXPECT_EQ(split.counts, counts_of(one, 12));
  }
}

TEST(BatchSampler, ReferenceIsAnotherRecordingOfTheSameSpeaker) {
  const SmallRun run = small_run();
  BatchSampler sampler(run.features, run.plan, run.settings);

  for (std::int64_t i = sampler.batches_in_epoch(); i > 0; --i) {
    for (const MicroBatch& micro_batch : sampler.next().micro_batches) {
      for (std::size_t row = 0; row < micro_batch.utterances.size(); ++row) {
        // The integer part of a synthetic mel value is the utterance.
        const auto other = static_cast<std::size_t>(micro_batch.reference[row * 32]);
        EXPECT_EQ(other % 3, micro_batch.utterances[row] % 3);
        EXPECT_NE(other, micro_batch.utterances[row]);
      }
    }
  }
}

ShapePlan dynamic_plan_of(std::int64_t rows) {
  return {.signatures = {{.batch = rows, .text = 60, .mel = 60}},
          .notes = {},
          .mode = ShapeMode::kDynamic};
}

Lengths longest_of(const MicroBatch& micro_batch) {
  return {*std::ranges::max_element(micro_batch.text_lengths),
          *std::ranges::max_element(micro_batch.mel_lengths)};
}

TEST(BatchSampler, DynamicMicroBatchIsAsLongAsItsLongestUtterance) {
  const SmallRun run = small_run(2, 12);
  const ShapePlan plan = dynamic_plan_of(3);
  BatchSampler sampler(run.features, plan, run.settings);
  std::set<Signature> shapes;

  for (std::int64_t i = sampler.batches_in_epoch(); i > 0; --i) {
    const Batch batch = sampler.next();
    ASSERT_EQ(batch.micro_batches.size(), 2U);
    for (const MicroBatch& micro_batch : batch.micro_batches) {
      expect_rows_hold_their_utterances(run, micro_batch);
      const Lengths longest = longest_of(micro_batch);
      EXPECT_EQ(micro_batch.signature, (Signature{3, longest.text, longest.mel, 0}));
      shapes.insert(micro_batch.signature);
    }
  }
  EXPECT_EQ(sampler.position(), (LoaderPosition{1, 0}));
  EXPECT_GT(shapes.size(), 10U);
}

TEST(BatchSampler, RejectsAPlanThatTheUtterancesDoNotFill) {
  const SmallRun run = small_run();
  const ShapePlan large = fixed_shape_plan({.batch = 61, .text = 64, .mel = 64});
  const ShapePlan tight = fixed_shape_plan({.batch = 1, .text = 1, .mel = 1});

  EXPECT_THROW(BatchSampler(run.features, large, run.settings), UserError);
  EXPECT_THROW(BatchSampler(run.features, tight, run.settings), UserError);
  EXPECT_THROW(BatchSampler(FeatureSet{}, large, run.settings), UserError);
}

TEST(BatchSampler, RejectsAPositionOutsideTheEpoch) {
  const SmallRun run = small_run();
  BatchSampler sampler(run.features, run.plan, run.settings);
  const std::int64_t per_epoch = sampler.batches_in_epoch();

  sampler.seek({5, per_epoch - 1});
  EXPECT_EQ(sampler.next().next, (LoaderPosition{6, 0}));
  EXPECT_THROW(sampler.seek({5, per_epoch}), UserError);
  EXPECT_THROW(sampler.seek({5, -1}), UserError);
  EXPECT_THROW(sampler.seek({-1, 0}), UserError);
  EXPECT_EQ(sampler.position(), (LoaderPosition{6, 0}));
}

TEST(ValidationBatches, HaveEveryUtteranceOnceAndTheCountsOfAll) {
  const SmallRun run = small_run(2, 12);

  const std::vector<Batch> batches = validation_batches(run.features, run.plan, run.settings);

  BatchCounts all;
  std::set<std::string> ids;
  for (const Batch& batch : batches) {
    ASSERT_EQ(batch.micro_batches.size(), 1U);
    expect_rows_hold_their_utterances(run, batch.micro_batches[0]);
    all += counts_of(batch.micro_batches[0], 12);
    for (const std::string& id : batch.micro_batches[0].ids)
      EXPECT_TRUE(id.empty() || ids.insert(id).second) << id << " comes twice";
  }
  EXPECT_EQ(ids.size(), 60U);
  EXPECT_EQ(all.utterances, 60);
  for (const Batch& batch : batches)
    EXPECT_EQ(batch.counts, all);
}

TEST(ValidationBatches, RowsDoNotDependOnThePlan) {
  const SmallRun run = small_run(1, 12);
  const auto rows_by_id = [&](const ShapePlan& plan) {
    std::map<std::string, std::pair<std::vector<float>, std::int64_t>> rows;
    for (const Batch& batch : validation_batches(run.features, plan, run.settings)) {
      const MicroBatch& micro_batch = batch.micro_batches[0];
      for (std::size_t row = 0; row < micro_batch.ids.size(); ++row) {
        if (micro_batch.ids[row].empty()) continue;
        const auto begin = micro_batch.reference.begin() + static_cast<std::ptrdiff_t>(row) * 32;
        rows[micro_batch.ids[row]] = {{begin, begin + 32}, micro_batch.crop_starts[row]};
      }
    }
    return rows;
  };

  const auto rows = rows_by_id(run.plan);
  EXPECT_EQ(rows.size(), 60U);
  EXPECT_EQ(rows, rows_by_id(fixed_shape_plan({.batch = 7, .text = 64, .mel = 64})));
  EXPECT_EQ(rows, rows_by_id(dynamic_plan_of(7)));
}

TEST(ValidationBatches, LastDynamicBatchHasNoEmptyRow) {
  const SmallRun run = small_run();

  const std::vector<Batch> batches =
      validation_batches(run.features, dynamic_plan_of(7), run.settings);

  ASSERT_EQ(batches.size(), 9U);
  EXPECT_EQ(batches.back().micro_batches[0].signature.batch, 4);
}

// next_job() is called with a lock held, so it must not sample the epoch of a large corpus.
TEST(BatchSampler, EpochIsSampledByCollateAndNotByNextJob) {
  const SmallRun run = small_run();
  BatchSampler sampler(run.features, run.plan, run.settings);
  std::vector<BatchJob> first;
  for (std::int64_t i = 0; i < sampler.batches_in_epoch(); ++i)
    first.push_back(sampler.next_job());
  const BatchJob second = sampler.next_job();

  EXPECT_FALSE(first[0].order->is_sampled());
  EXPECT_EQ(first[0].next_order, second.order);
  EXPECT_EQ(first[1].next_order, nullptr);
  CollatorScratch scratch;
  Batch batch;
  sampler.collate(first[1], scratch, batch);
  EXPECT_TRUE(first[0].order->is_sampled());
  EXPECT_FALSE(second.order->is_sampled());
  sampler.collate(first[0], scratch, batch);
  EXPECT_TRUE(second.order->is_sampled()) << "ahead of its first batch";
  EXPECT_EQ(first[0].order->batches(),
            sample_epoch(run.settings.seed, 0, run.plan, 1, run.lengths));
  EXPECT_EQ(second.order->batches(), sample_epoch(run.settings.seed, 1, run.plan, 1, run.lengths));
}

}  // namespace
}  // namespace myxtts::data
