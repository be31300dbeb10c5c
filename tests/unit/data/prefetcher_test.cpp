#include "data/prefetcher.h"

#include <thread>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/scale.h"
#include "unit/data/fault_injecting_mels.h"
#include "unit/data/small_run.h"

namespace myxtts::data {
namespace {

using std::chrono::milliseconds;

std::shared_ptr<FaultInjectingMels> inject_faults(SmallRun& run) {
  auto mels = std::make_shared<FaultInjectingMels>(run.features.mels);
  run.features.mels = mels;
  return mels;
}

BatchSampler sampler_of(const SmallRun& run) {
  return BatchSampler(run.features, run.plan, run.settings);
}

// Returns the batches of a sampler without a prefetcher.
std::vector<Batch> first_batches(const SmallRun& run, int count) {
  BatchSampler reference = sampler_of(run);
  std::vector<Batch> batches;
  for (int i = 0; i < count; ++i)
    batches.push_back(reference.next());
  return batches;
}

// Order, values and resume do not depend on workers, buffer or plan.
TEST(Prefetcher, YieldsTheBatchesOfTheSamplerForAnySettings) {
  const std::uint64_t num_settings = 200U * static_cast<std::uint64_t>(support::test_scale());
  for (std::uint64_t seed = 0; seed < num_settings; ++seed) {
    base::Random random(seed);
    const SmallRun run = small_run(1 + static_cast<int>(random.below(2)),
                                   random.below(2) == 0 ? 0 : 12,
                                   30 + static_cast<int>(random.below(40)),
                                   seed);
    const int workers = std::vector<int>{0, 1, 2, 4}[random.below(4)];
    BatchSampler reference = sampler_of(run);
    BatchSampler sampler = sampler_of(run);
    Prefetcher prefetcher(sampler,
                          {.num_workers = workers,
                           .buffer = static_cast<std::int64_t>(1 + random.below(20)),
                           .is_idle_priority = random.below(10) == 0});
    const std::uint64_t seek_at = random.below(12);
    for (std::uint64_t i = 0; i < 14; ++i) {
      if (i == seek_at) {
        const LoaderPosition position{.epoch = static_cast<std::int64_t>(random.below(3)),
                                      .batch = 1};
        reference.seek(position);
        prefetcher.seek(position);
      }
      if (random.below(8) == 0) prefetcher.resize(static_cast<std::int64_t>(1 + random.below(20)));
      std::unique_ptr<Batch> batch = random.below(3) == 0 ? prefetcher.next_if_ready() : nullptr;
      if (!batch) batch = prefetcher.next();
      expect_same_batch(*batch, reference.next());
      prefetcher.recycle(std::move(batch));
    }
    if (testing::Test::HasFailure()) FAIL() << "settings " << seed << ", " << workers << " workers";
  }
}

TEST(Prefetcher, RestoresTheOrderOfWorkersThatFinishOutOfOrder) {
  SmallRun run = small_run();
  const std::vector<Batch> expected = first_batches(run, 20);
  inject_faults(run)->delay = milliseconds(1);
  BatchSampler sampler = sampler_of(run);
  Prefetcher prefetcher(sampler, {.num_workers = 4, .buffer = 6});
  for (const Batch& batch : expected)
    expect_same_batch(*prefetcher.next(), batch);
}

TEST(Prefetcher, HoldsAtMostTheBuffer) {
  const SmallRun run = small_run();
  BatchSampler sampler = sampler_of(run);
  Prefetcher prefetcher(sampler, {.num_workers = 3, .buffer = 4});
  ASSERT_TRUE(prefetcher.wait_until_ready(1000, milliseconds(10000)));
  EXPECT_EQ(prefetcher.report().depth, 4);
  prefetcher.recycle(prefetcher.next());
  ASSERT_TRUE(prefetcher.wait_until_ready(4, milliseconds(10000)));
  EXPECT_EQ(prefetcher.report().depth, 4);
  EXPECT_EQ(prefetcher.report().num_batches, 5);
}

// Finished batches behind a missing one are of no use to the consumer.
TEST(Prefetcher, DepthIsZeroWhileTheFirstBatchIsMissing) {
  SmallRun run = small_run();
  const std::shared_ptr<FaultInjectingMels> mels = inject_faults(run);
  mels->stuck = {first_batches(run, 1)[0].micro_batches[0].utterances[0]};
  BatchSampler sampler = sampler_of(run);
  Prefetcher prefetcher(sampler,
                        {.num_workers = 2, .buffer = 3, .read_timeout = milliseconds(60000)});
  while (prefetcher.report().held < 2)
    std::this_thread::sleep_for(milliseconds(1));

  EXPECT_EQ(prefetcher.report().depth, 0);
  EXPECT_FALSE(prefetcher.wait_until_ready(1, milliseconds(5)));

  mels->release();
  ASSERT_TRUE(prefetcher.wait_until_ready(3, milliseconds(10000)));
  EXPECT_EQ(prefetcher.report().depth, 3);
}

TEST(Prefetcher, NextIfReadyNeverBlocks) {
  SmallRun run = small_run();
  BatchSampler sampler = sampler_of(run);
  Prefetcher prefetcher(sampler, {.num_workers = 1, .buffer = 2});
  ASSERT_TRUE(prefetcher.wait_until_ready(2, milliseconds(10000)));
  EXPECT_NE(prefetcher.next_if_ready(), nullptr);

  BatchSampler alone = sampler_of(run);
  EXPECT_EQ(Prefetcher(alone, {.num_workers = 0}).next_if_ready(), nullptr);
  inject_faults(run)->broken = {first_batches(run, 1)[0].micro_batches[0].utterances[0]};
  BatchSampler broken = sampler_of(run);
  Prefetcher faulty(broken, {.num_workers = 1, .buffer = 1});
  ASSERT_TRUE(faulty.wait_until_ready(1, milliseconds(10000)));
  EXPECT_EQ(faulty.next_if_ready(), nullptr);  // next() throws the error
  EXPECT_THROW(faulty.next(), BugError);
}

TEST(Prefetcher, NextWithinReturnsALateBatchLater) {
  SmallRun run = small_run();
  const std::vector<Batch> expected = first_batches(run, 2);
  const auto mels = inject_faults(run);
  mels->stuck = {expected[0].micro_batches[0].utterances[0]};
  BatchSampler sampler = sampler_of(run);
  Prefetcher prefetcher(sampler,
                        {.num_workers = 1, .buffer = 2, .read_timeout = milliseconds(60000)});

  EXPECT_EQ(prefetcher.next_within(milliseconds(20)), nullptr);
  mels->release();

  for (const Batch& batch : expected) {
    const std::unique_ptr<Batch> found_batch = prefetcher.next_within(milliseconds(60000));
    ASSERT_NE(found_batch, nullptr);
    expect_same_batch(*found_batch, batch);
  }
}

TEST(Prefetcher, IdlePriorityWorkersRefillAHalfEmptyBuffer) {
  const SmallRun run = small_run();
  BatchSampler sampler = sampler_of(run);
  Prefetcher prefetcher(sampler, {.num_workers = 2, .buffer = 8, .is_idle_priority = true});
  ASSERT_TRUE(prefetcher.wait_until_ready(8, milliseconds(10000)));
  for (int i = 0; i < 3; ++i)
    prefetcher.recycle(prefetcher.next());
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(prefetcher.report().depth, 5);
  prefetcher.recycle(prefetcher.next());
  ASSERT_TRUE(prefetcher.wait_until_ready(8, milliseconds(10000)));
  EXPECT_EQ(prefetcher.report().depth, 8);

  prefetcher.recycle(prefetcher.next());
  prefetcher.fill_up();  // the model pauses
  ASSERT_TRUE(prefetcher.wait_until_ready(8, milliseconds(10000)));
}

TEST(Prefetcher, UnreadableUtteranceIsReplacedInItsRowAndReportedOnce) {
  SmallRun run = small_run();
  const std::vector<Batch> expected = first_batches(run, 40);
  inject_faults(run)->unreadable = {7, 21};
  std::vector<std::vector<std::size_t>> found_before;
  for (const int workers : {0, 3}) {
    BatchSampler sampler = sampler_of(run);
    Prefetcher prefetcher(sampler, {.num_workers = workers, .buffer = 5});
    std::vector<std::vector<std::size_t>> found;
    for (const Batch& batch : expected) {
      const std::unique_ptr<Batch> found_batch = prefetcher.next();
      EXPECT_EQ(found_batch->next, batch.next);
      const MicroBatch& expected_rows = batch.micro_batches[0];
      const MicroBatch& micro_batch = found_batch->micro_batches[0];
      ASSERT_EQ(micro_batch.signature, expected_rows.signature);
      for (std::size_t row = 0; row < micro_batch.ids.size(); ++row) {
        const std::size_t original = expected_rows.utterances[row];
        if (original == 7 || original == 21) {
          EXPECT_NE(micro_batch.utterances[row], original);
          EXPECT_TRUE(holds(micro_batch.signature, run.lengths[micro_batch.utterances[row]]));
        } else {
          EXPECT_EQ(micro_batch.utterances[row], original);
        }
        EXPECT_EQ(micro_batch.mel_lengths[row], run.lengths[micro_batch.utterances[row]].mel);
      }
      found.push_back(micro_batch.utterances);
    }
    EXPECT_EQ(prefetcher.collator().unreadable().count(), 2U);
    std::vector<std::string> reported = prefetcher.collator().unreadable().take_unreported();
    std::ranges::sort(reported);
    EXPECT_EQ(reported, (std::vector<std::string>{"u21: file is missing", "u7: file is missing"}));
    EXPECT_TRUE(prefetcher.collator().unreadable().take_unreported().empty());
    if (found_before.empty()) found_before = found;
    EXPECT_EQ(found, found_before);
  }
}

TEST(Prefetcher, TooManyUnreadableUtterancesAreAnError) {
  for (const int workers : {0, 2}) {
    SmallRun run = small_run();
    inject_faults(run)->unreadable = {1, 2, 3, 4};
    BatchSampler sampler = sampler_of(run);
    Prefetcher prefetcher(sampler, {.num_workers = workers, .buffer = 5});
    try {
      for (int i = 0; i < 100; ++i)
        prefetcher.recycle(prefetcher.next());
      FAIL() << "continued without its corpus";
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find("4 of 60 utterances could no longer be read"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(Prefetcher, ExceptionOfAWorkerIsThrownInPlaceOfItsBatch) {
  SmallRun run = small_run();
  const std::vector<Batch> expected = first_batches(run, 10);
  const std::size_t bad = expected[5].micro_batches[0].utterances[0];
  inject_faults(run)->broken = {bad};
  BatchSampler sampler = sampler_of(run);
  Prefetcher prefetcher(sampler, {.num_workers = 3, .buffer = 8});
  int num_broken = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    const auto uses = [&](const MicroBatch& micro_batch) {
      return std::ranges::find(micro_batch.utterances, bad) != micro_batch.utterances.end();
    };
    try {
      expect_same_batch(*prefetcher.next(), expected[i]);
      EXPECT_FALSE(uses(expected[i].micro_batches[0]));
    } catch (const BugError& error) {
      EXPECT_EQ(error.what(), run.features.utterances[bad].id + ": injected error");
      ++num_broken;
    }
  }
  EXPECT_GE(num_broken, 1);  // a batch that uses it as a reference clip fails, too
}

TEST(Prefetcher, EndlessReadCostsOnlyItsUtterance) {
  for (const bool is_idle_priority : {false, true}) {
    SmallRun run = small_run();
    const auto mels = inject_faults(run);
    mels->stuck = {11};
    BatchSampler sampler = sampler_of(run);
    const auto start = std::chrono::steady_clock::now();
    {
      Prefetcher prefetcher(sampler,
                            {.num_workers = 2,
                             .buffer = 4,
                             .is_idle_priority = is_idle_priority,
                             .read_timeout = milliseconds(200)});
      for (std::int64_t i = 0; i < 2 * sampler.batches_in_epoch(); ++i)
        prefetcher.recycle(prefetcher.next());
      EXPECT_GE(prefetcher.report().num_abandoned, 1);
      const std::vector<std::string> reported =
          prefetcher.collator().unreadable().take_unreported();
      ASSERT_EQ(reported.size(), 1U);
      EXPECT_EQ(reported[0], "u11: reading it did not end within 0.2 s");
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
    EXPECT_GE(mels->num_stuck, 1);
    mels->release();
  }
}

// A stuck idle-priority worker must be replaced even if its item was requeued; otherwise no worker
// would prefetch any more.
TEST(Prefetcher, StuckIdlePriorityWorkerIsReplacedAfterItsItemWasRequeued) {
  SmallRun run = small_run();
  run.settings.reference_frames = 0;  // so that each utterance is read once per epoch
  const std::vector<Batch> expected = first_batches(run, 13);
  const auto mels = inject_faults(run);
  mels->stuck = {expected[5].micro_batches[0].utterances[0],
                 expected[12].micro_batches[0].utterances[0]};
  BatchSampler sampler = sampler_of(run);
  {
    Prefetcher prefetcher(sampler,
                          {.num_workers = 2,
                           .buffer = 4,
                           .is_idle_priority = true,
                           .read_timeout = milliseconds(200)});
    for (std::size_t i = 0; i < expected.size(); ++i) {
      // Calling next() too early would give the batch to the fallback worker.
      const int num_stuck = mels->num_stuck;
      for (int ms = 0; ms < 2000 && prefetcher.report().depth == 0 && mels->num_stuck == num_stuck;
           ++ms)
        std::this_thread::sleep_for(milliseconds(1));
      prefetcher.recycle(prefetcher.next());
    }

    EXPECT_EQ(prefetcher.collator().unreadable().count(), 2U);
    EXPECT_TRUE(prefetcher.wait_until_ready(4, milliseconds(10000)));
    EXPECT_GE(prefetcher.report().num_abandoned, 2);
  }
  mels->release();
}

// A worker that computes, or waits for a core, longer than the read timeout is not abandoned.
TEST(Prefetcher, ComputingWorkerIsNotAbandoned) {
  SmallRun run = small_run();
  const std::vector<Batch> expected = first_batches(run, 15);
  const auto mels = inject_faults(run);
  mels->busy = {expected[6].micro_batches[0].utterances[0]};
  mels->work = milliseconds(600);
  BatchSampler sampler = sampler_of(run);
  Prefetcher prefetcher(sampler,
                        {.num_workers = 2, .buffer = 4, .read_timeout = milliseconds(300)});

  for (const Batch& batch : expected)
    expect_same_batch(*prefetcher.next(), batch);

  EXPECT_EQ(prefetcher.report().num_abandoned, 0);
}

TEST(Prefetcher, BlockedSecondsGrowWhileTheBufferIsFull) {
  const SmallRun run = small_run();
  for (const bool is_idle_priority : {false, true}) {
    BatchSampler sampler = sampler_of(run);
    const auto start = std::chrono::steady_clock::now();
    Prefetcher prefetcher(sampler,
                          {.num_workers = 1, .buffer = 3, .is_idle_priority = is_idle_priority});
    ASSERT_TRUE(prefetcher.wait_until_ready(3, milliseconds(10000)));
    const double first_s = prefetcher.report().blocked_s;
    double blocked_s = first_s;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (blocked_s < first_s + 0.02 && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(milliseconds(1));
      blocked_s = prefetcher.report().blocked_s;  // no batch is taken
    }
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - start;
    EXPECT_GE(blocked_s, first_s + 0.02);
    EXPECT_LE(blocked_s, all.count()) << "waits of the fallback worker are not counted";
  }
}

TEST(Prefetcher, TimeWithoutCpuIsWaitingTime) {
  SmallRun run = small_run();
  inject_faults(run)->delay = milliseconds(2);
  for (const int workers : {0, 1}) {
    BatchSampler sampler = sampler_of(run);
    const auto start = std::chrono::steady_clock::now();
    Prefetcher prefetcher(sampler, {.num_workers = workers, .buffer = 4});
    for (int i = 0; i < 10; ++i)
      prefetcher.recycle(prefetcher.next());
    const PrefetchReport report = prefetcher.report();
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - start;
    EXPECT_GT(report.waiting_s, 0.01) << "ten batches with at least one sleep each";
    EXPECT_GT(report.busy_s, 0.0);
    EXPECT_LE(report.busy_s + report.waiting_s + report.blocked_s, all.count());
  }
}

}  // namespace
}  // namespace myxtts::data
