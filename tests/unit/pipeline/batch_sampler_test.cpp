#include "pipeline/batch_sampler.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/pipeline/small_run.h"

namespace xtts::pipeline {
namespace {

constexpr float kPad = -11.5F;

// Every value of the batch is where the shapes say, and everything else is padding.
void expect_rows_hold_their_utterances(const SmallRun& made, const MicroBatch& batch) {
  const auto rows = static_cast<std::size_t>(batch.signature.batch);
  const auto text_size = static_cast<std::size_t>(batch.signature.text);
  const auto mel_size = static_cast<std::size_t>(batch.signature.mel);
  ASSERT_EQ(batch.text.size(), rows * text_size);
  ASSERT_EQ(batch.mel.size(), rows * mel_size * 2);
  ASSERT_EQ(batch.reference.size(), rows * 16 * 2);
  for (std::size_t row = 0; row < rows; ++row) {
    const Features& features = made.features.utterances[batch.utterances[row]];
    const bool empty = batch.ids[row].empty();
    ASSERT_EQ(batch.text_lengths[row], empty ? 0 : std::ssize(features.text));
    ASSERT_EQ(batch.mel_lengths[row], empty ? 0 : features.num_frames);
    EXPECT_EQ(batch.ids[row], empty ? "" : features.id);
    for (std::size_t t = 0; t < text_size; ++t) {
      const bool valid = static_cast<std::int64_t>(t) < batch.text_lengths[row];
      ASSERT_EQ(batch.text[row * text_size + t], valid ? features.text[t] : 0);
    }
    const std::vector<float> mel = made.features.mel(batch.utterances[row]).values;
    for (std::size_t value = 0; value < mel_size * 2; ++value) {
      const bool valid = static_cast<std::int64_t>(value / 2) < batch.mel_lengths[row];
      ASSERT_EQ(batch.mel[row * mel_size * 2 + value], valid ? mel[value] : kPad);
    }
  }
}

TEST(BatchSampler, RowsHoldTheirUtterancesAndElsePadding) {
  const SmallRun made = small_run();
  BatchSampler loader(made.features, made.plan, made.settings);

  for (std::int64_t i = loader.batches_in_epoch(); i > 0; --i) {
    for (const MicroBatch& batch : loader.next().micro_batches)
      expect_rows_hold_their_utterances(made, batch);
  }
  EXPECT_EQ(loader.position(), (LoaderPosition{1, 0}));
}

// Rows are padded where they end, not cleared before: what a batch held must not be seen again.
TEST(BatchSampler, MemoryThatHeldOtherUpdatesLeavesNothingBehind) {
  const SmallRun made = small_run(2, 12);
  BatchSampler loader(made.features, made.plan, made.settings);
  BatchSampler fresh(made.features, made.plan, made.settings);
  CollatorScratch scratch;
  Batch used;

  for (int i = 0; i < 40; ++i) {
    for (MicroBatch& batch : used.micro_batches) {
      std::ranges::fill(batch.text, 77);
      std::ranges::fill(batch.mel, 77.0F);
      std::ranges::fill(batch.reference, 77.0F);
    }
    loader.make(loader.take(), scratch, used);
    expect_same_update(used, fresh.next());
  }
}

TEST(BatchSampler, ASeekContinuesBitForBit) {
  const SmallRun made = small_run(2, 12);
  BatchSampler straight(made.features, made.plan, made.settings);

  for (int i = 0; i < 40; ++i) {
    const LoaderPosition before = straight.position();
    const Batch expected = straight.next();
    BatchSampler resumed(made.features, made.plan, made.settings);
    resumed.seek(before);
    expect_same_update(resumed.next(), expected);
    EXPECT_EQ(resumed.position(), expected.next);
  }
  EXPECT_GE(straight.position().epoch, 2);
}

TEST(BatchSampler, EpochFollowsEpochWithoutEnd) {
  const SmallRun made = small_run();
  BatchSampler loader(made.features, made.plan, made.settings);
  const std::int64_t per_epoch = loader.batches_in_epoch();

  for (std::int64_t i = 0; i < 3 * per_epoch; ++i) {
    const Batch update = loader.next();
    const auto order = sample_epoch(7, i / per_epoch, made.plan, 1, made.lengths);
    const PlannedBatch& planned = order.at(static_cast<std::size_t>(i % per_epoch));
    EXPECT_EQ(update.epoch, i / per_epoch);
    EXPECT_EQ(update.micro_batches.at(0).signature, made.plan.signatures[planned.signature]);
    EXPECT_EQ(update.micro_batches.at(0).utterances, planned.micro_batches[0]);
    EXPECT_EQ(update.next, (LoaderPosition{(i + 1) / per_epoch, (i + 1) % per_epoch}));
    EXPECT_EQ(update.next, loader.position());
  }
}

TEST(BatchSampler, CountsAreThoseOfTheWholeUpdate) {
  const SmallRun made = small_run(2, 12);
  BatchSampler loader(made.features, made.plan, made.settings);

  for (int i = 0; i < 10; ++i) {
    const Batch update = loader.next();
    BatchCounts expected;
    ASSERT_EQ(update.micro_batches.size(), 2U);
    EXPECT_EQ(update.micro_batches[0].signature, update.micro_batches[1].signature);
    for (const MicroBatch& batch : update.micro_batches) {
      for (const std::size_t u : batch.utterances) {
        ++expected.utterances;
        expected.symbols += made.lengths[u].text;
        expected.frames += made.lengths[u].mel;
        expected.decoder_frames += std::min<std::int64_t>(12, made.lengths[u].mel);
      }
    }
    EXPECT_EQ(update.counts, expected);
  }
}

TEST(BatchSampler, SplittingAnUpdateChangesNeitherItsRowsNorItsCounts) {
  SmallRun made = small_run(1, 12);
  const ShapePlan whole = fixed_shape_plan({.batch = 4, .text = 64, .mel = 64});
  const ShapePlan halves = fixed_shape_plan({.batch = 2, .text = 64, .mel = 64});
  BatchSampler in_one(made.features, whole, made.settings);
  made.settings.grad_accum = 2;
  BatchSampler in_two(made.features, halves, made.settings);

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

TEST(BatchSampler, TheReferenceIsAnotherRecordingOfTheSameSpeaker) {
  const SmallRun made = small_run();
  BatchSampler loader(made.features, made.plan, made.settings);

  for (std::int64_t i = loader.batches_in_epoch(); i > 0; --i) {
    for (const MicroBatch& batch : loader.next().micro_batches) {
      for (std::size_t row = 0; row < batch.utterances.size(); ++row) {
        // A made-up mel is its number and, after the point, the frame.
        const auto other = static_cast<std::size_t>(batch.reference[row * 32]);
        EXPECT_EQ(other % 3, batch.utterances[row] % 3);
        EXPECT_NE(other, batch.utterances[row]);
      }
    }
  }
}

ShapePlan dynamic_plan_of(std::int64_t rows) {
  return {.signatures = {{.batch = rows, .text = 60, .mel = 60}},
          .notes = {},
          .mode = ShapeMode::kDynamic};
}

Lengths longest_of(const MicroBatch& batch) {
  return {*std::ranges::max_element(batch.text_lengths),
          *std::ranges::max_element(batch.mel_lengths)};
}

TEST(BatchSampler, ADynamicBatchIsAsLongAsItsLongestUtterance) {
  const SmallRun made = small_run(2, 12);
  const ShapePlan plan = dynamic_plan_of(3);
  BatchSampler loader(made.features, plan, made.settings);
  std::set<Signature> shapes;

  for (std::int64_t i = loader.batches_in_epoch(); i > 0; --i) {
    const Batch update = loader.next();
    ASSERT_EQ(update.micro_batches.size(), 2U);
    for (const MicroBatch& batch : update.micro_batches) {
      expect_rows_hold_their_utterances(made, batch);
      const Lengths longest = longest_of(batch);
      EXPECT_EQ(batch.signature, (Signature{3, longest.text, longest.mel, 0}));
      shapes.insert(batch.signature);
    }
  }
  EXPECT_EQ(loader.position(), (LoaderPosition{1, 0}));
  EXPECT_GT(shapes.size(), 10U);
}

TEST(BatchSampler, RefusesAPlanThatItsUtterancesDoNotFill) {
  const SmallRun made = small_run();
  const ShapePlan large = fixed_shape_plan({.batch = 61, .text = 64, .mel = 64});
  const ShapePlan tight = fixed_shape_plan({.batch = 1, .text = 1, .mel = 1});

  EXPECT_THROW(BatchSampler(made.features, large, made.settings), UserError);
  EXPECT_THROW(BatchSampler(made.features, tight, made.settings), UserError);
  EXPECT_THROW(BatchSampler(FeatureSet{}, large, made.settings), UserError);
}

TEST(BatchSampler, RefusesAPositionThatIsNotThere) {
  const SmallRun made = small_run();
  BatchSampler loader(made.features, made.plan, made.settings);
  const std::int64_t per_epoch = loader.batches_in_epoch();

  loader.seek({5, per_epoch - 1});
  EXPECT_EQ(loader.next().next, (LoaderPosition{6, 0}));
  EXPECT_THROW(loader.seek({5, per_epoch}), UserError);
  EXPECT_THROW(loader.seek({5, -1}), UserError);
  EXPECT_THROW(loader.seek({-1, 0}), UserError);
  EXPECT_EQ(loader.position(), (LoaderPosition{6, 0}));
}

TEST(ValidationUpdates, HaveEveryoneOnceAndTheCountsOfAll) {
  const SmallRun made = small_run(2, 12);

  const std::vector<Batch> updates = validation_batches(made.features, made.plan, made.settings);

  BatchCounts all;
  std::set<std::string> ids;
  for (const Batch& update : updates) {
    ASSERT_EQ(update.micro_batches.size(), 1U);
    expect_rows_hold_their_utterances(made, update.micro_batches[0]);
    all += counts_of(update.micro_batches[0], 12);
    for (const std::string& id : update.micro_batches[0].ids)
      EXPECT_TRUE(id.empty() || ids.insert(id).second) << id << " comes twice";
  }
  EXPECT_EQ(ids.size(), 60U);
  EXPECT_EQ(all.utterances, 60);
  for (const Batch& update : updates)
    EXPECT_EQ(update.counts, all);
}

TEST(ValidationUpdates, AnUtteranceIsTheSameInEveryPlan) {
  const SmallRun made = small_run(1, 12);
  const auto rows_by_id = [&](const ShapePlan& plan) {
    std::map<std::string, std::pair<std::vector<float>, std::int64_t>> rows;
    for (const Batch& update : validation_batches(made.features, plan, made.settings)) {
      const MicroBatch& batch = update.micro_batches[0];
      for (std::size_t row = 0; row < batch.ids.size(); ++row) {
        if (batch.ids[row].empty()) continue;
        const auto begin = batch.reference.begin() + static_cast<std::ptrdiff_t>(row) * 32;
        rows[batch.ids[row]] = {{begin, begin + 32}, batch.crop_starts[row]};
      }
    }
    return rows;
  };

  const auto rows = rows_by_id(made.plan);
  EXPECT_EQ(rows.size(), 60U);
  EXPECT_EQ(rows, rows_by_id(fixed_shape_plan({.batch = 7, .text = 64, .mel = 64})));
  EXPECT_EQ(rows, rows_by_id(dynamic_plan_of(7)));
}

TEST(ValidationUpdates, TheLastDynamicBatchHasNoEmptyRow) {
  const SmallRun made = small_run();

  const std::vector<Batch> updates =
      validation_batches(made.features, dynamic_plan_of(7), made.settings);

  ASSERT_EQ(updates.size(), 9U);
  EXPECT_EQ(updates.back().micro_batches[0].signature.batch, 4);
}

// Whoever hands out updates holds a lock: an epoch of a large corpus is not ordered there.
TEST(BatchSampler, AnEpochIsOrderedByWhoMakesAnUpdateNotByWhoTakesIt) {
  const SmallRun made = small_run();
  BatchSampler loader(made.features, made.plan, made.settings);
  std::vector<BatchJob> first;
  for (std::int64_t i = 0; i < loader.batches_in_epoch(); ++i)
    first.push_back(loader.take());
  const BatchJob second = loader.take();

  EXPECT_FALSE(first[0].order->is_made());
  EXPECT_EQ(first[0].following, second.order);
  EXPECT_EQ(first[1].following, nullptr);
  CollatorScratch scratch;
  Batch update;
  loader.make(first[1], scratch, update);
  EXPECT_TRUE(first[0].order->is_made());
  EXPECT_FALSE(second.order->is_made());
  loader.make(first[0], scratch, update);
  EXPECT_TRUE(second.order->is_made()) << "before anybody needs it";
  EXPECT_EQ(first[0].order->updates(),
            sample_epoch(made.settings.seed, 0, made.plan, 1, made.lengths));
  EXPECT_EQ(second.order->updates(),
            sample_epoch(made.settings.seed, 1, made.plan, 1, made.lengths));
}

}  // namespace
}  // namespace xtts::pipeline
