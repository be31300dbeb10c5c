#include "pipeline/prefetcher.h"

#include <thread>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/scale.h"
#include "unit/pipeline/small_run.h"
#include "unit/pipeline/troubled_mels.h"

namespace xtts::pipeline {
namespace {

using std::chrono::milliseconds;

std::shared_ptr<TroubledMels> trouble(SmallRun& run) {
  auto mels = std::make_shared<TroubledMels>(run.features.mels);
  run.features.mels = mels;
  return mels;
}

BatchSampler loader_of(const SmallRun& run) {
  return BatchSampler(run.features, run.plan, run.settings);
}

// What the loader gives by itself.
std::vector<Batch> first_batches(const SmallRun& run, int count) {
  BatchSampler plain = loader_of(run);
  std::vector<Batch> updates;
  for (int i = 0; i < count; ++i)
    updates.push_back(plain.next());
  return updates;
}

// Order, bits and resume, whatever the workers, the buffer and the way the corpus is cut.
TEST(Prefetcher, GivesTheLoadersUpdatesInItsOrderForAnySettings) {
  const std::uint64_t num_settings = 200U * static_cast<std::uint64_t>(support::test_scale());
  for (std::uint64_t seed = 0; seed < num_settings; ++seed) {
    base::Random random(seed);
    const SmallRun run = small_run(1 + static_cast<int>(random.below(2)),
                                   random.below(2) == 0 ? 0 : 12,
                                   30 + static_cast<int>(random.below(40)),
                                   seed);
    const int workers = std::vector<int>{0, 1, 2, 4}[random.below(4)];
    BatchSampler plain = loader_of(run);
    BatchSampler behind = loader_of(run);
    Prefetcher stream(behind,
                      {.num_workers = workers,
                       .buffer = static_cast<std::int64_t>(1 + random.below(20)),
                       .is_idle_priority = random.below(10) == 0});
    const std::uint64_t seek_at = random.below(12);
    for (std::uint64_t i = 0; i < 14; ++i) {
      if (i == seek_at) {
        const LoaderPosition there{.epoch = static_cast<std::int64_t>(random.below(3)),
                                   .update = 1};
        plain.seek(there);
        stream.seek(there);
      }
      if (random.below(8) == 0) stream.resize(static_cast<std::int64_t>(1 + random.below(20)));
      std::unique_ptr<Batch> update = random.below(3) == 0 ? stream.next_if_ready() : nullptr;
      if (!update) update = stream.next();
      expect_same_update(*update, plain.next());
      stream.give_back(std::move(update));
    }
    if (testing::Test::HasFailure()) FAIL() << "settings " << seed << ", " << workers << " workers";
  }
}

TEST(Prefetcher, WorkersThatFinishOutOfOrderChangeNothing) {
  SmallRun run = small_run();
  const std::vector<Batch> expected = first_batches(run, 20);
  trouble(run)->delay = milliseconds(1);
  BatchSampler behind = loader_of(run);
  Prefetcher stream(behind, {.num_workers = 4, .buffer = 6});
  for (const Batch& update : expected)
    expect_same_update(*stream.next(), update);
}

TEST(Prefetcher, HoldsNoMoreThanTheBuffer) {
  const SmallRun run = small_run();
  BatchSampler behind = loader_of(run);
  Prefetcher stream(behind, {.num_workers = 3, .buffer = 4});
  ASSERT_TRUE(stream.wait_until_ready(1000, milliseconds(10000)));
  EXPECT_EQ(stream.report().depth, 4);
  stream.give_back(stream.next());
  ASSERT_TRUE(stream.wait_until_ready(4, milliseconds(10000)));
  EXPECT_EQ(stream.report().depth, 4);
  EXPECT_EQ(stream.report().num_made, 5);
}

// What is made behind an update that is missing is no use to who asks for that one.
TEST(Prefetcher, IsNotDeepWhileTheFirstUpdateIsMissing) {
  SmallRun run = small_run();
  const std::shared_ptr<TroubledMels> mels = trouble(run);
  mels->stuck = {first_batches(run, 1)[0].micro_batches[0].utterances[0]};
  BatchSampler behind = loader_of(run);
  Prefetcher stream(behind, {.num_workers = 2, .buffer = 3, .patience = milliseconds(60000)});
  while (stream.report().held < 2)
    std::this_thread::sleep_for(milliseconds(1));

  EXPECT_EQ(stream.report().depth, 0);
  EXPECT_FALSE(stream.wait_until_ready(1, milliseconds(5)));

  mels->release();
  ASSERT_TRUE(stream.wait_until_ready(3, milliseconds(10000)));
  EXPECT_EQ(stream.report().depth, 3);
}

TEST(Prefetcher, WhatIsNotReadyIsNotWaitedFor) {
  SmallRun run = small_run();
  BatchSampler behind = loader_of(run);
  Prefetcher stream(behind, {.num_workers = 1, .buffer = 2});
  ASSERT_TRUE(stream.wait_until_ready(2, milliseconds(10000)));
  EXPECT_NE(stream.next_if_ready(), nullptr);

  BatchSampler alone = loader_of(run);
  EXPECT_EQ(Prefetcher(alone, {.num_workers = 0}).next_if_ready(), nullptr);
  trouble(run)->broken = {first_batches(run, 1)[0].micro_batches[0].utterances[0]};
  BatchSampler broken = loader_of(run);
  Prefetcher faulty(broken, {.num_workers = 1, .buffer = 1});
  ASSERT_TRUE(faulty.wait_until_ready(1, milliseconds(10000)));
  EXPECT_EQ(faulty.next_if_ready(), nullptr);  // the error stays for who waits
  EXPECT_THROW(faulty.next(), BugError);
}

TEST(Prefetcher, WhatDoesNotComeInTimeComesLater) {
  SmallRun run = small_run();
  const std::vector<Batch> expected = first_batches(run, 2);
  const auto mels = trouble(run);
  mels->stuck = {expected[0].micro_batches[0].utterances[0]};
  BatchSampler behind = loader_of(run);
  Prefetcher stream(behind, {.num_workers = 1, .buffer = 2, .patience = milliseconds(60000)});

  EXPECT_EQ(stream.next_within(milliseconds(20)), nullptr);
  mels->release();

  for (const Batch& update : expected) {
    const std::unique_ptr<Batch> given = stream.next_within(milliseconds(60000));
    ASSERT_NE(given, nullptr);
    expect_same_update(*given, update);
  }
}

TEST(Prefetcher, AGuestBeginsAgainWhenHalfIsUsedUp) {
  const SmallRun run = small_run();
  BatchSampler behind = loader_of(run);
  Prefetcher stream(behind, {.num_workers = 2, .buffer = 8, .is_idle_priority = true});
  ASSERT_TRUE(stream.wait_until_ready(8, milliseconds(10000)));
  for (int i = 0; i < 3; ++i)
    stream.give_back(stream.next());
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(stream.report().depth, 5);
  stream.give_back(stream.next());
  ASSERT_TRUE(stream.wait_until_ready(8, milliseconds(10000)));
  EXPECT_EQ(stream.report().depth, 8);

  stream.give_back(stream.next());
  stream.fill_up();  // the model does something else
  ASSERT_TRUE(stream.wait_until_ready(8, milliseconds(10000)));
}

TEST(Prefetcher, AnUtteranceThatIsGoneIsReplacedInItsRowAndNamedOnce) {
  SmallRun run = small_run();
  const std::vector<Batch> expected = first_batches(run, 40);
  trouble(run)->lost = {7, 21};
  std::vector<std::vector<std::size_t>> found_before;
  for (const int workers : {0, 3}) {
    BatchSampler behind = loader_of(run);
    Prefetcher stream(behind, {.num_workers = workers, .buffer = 5});
    std::vector<std::vector<std::size_t>> found;
    for (const Batch& update : expected) {
      const std::unique_ptr<Batch> given = stream.next();
      EXPECT_EQ(given->next, update.next);
      const MicroBatch& wanted = update.micro_batches[0];
      const MicroBatch& batch = given->micro_batches[0];
      ASSERT_EQ(batch.signature, wanted.signature);
      for (std::size_t row = 0; row < batch.ids.size(); ++row) {
        const std::size_t was = wanted.utterances[row];
        if (was == 7 || was == 21) {
          EXPECT_NE(batch.utterances[row], was);
          EXPECT_TRUE(holds(batch.signature, run.lengths[batch.utterances[row]]));
        } else {
          EXPECT_EQ(batch.utterances[row], was);
        }
        EXPECT_EQ(batch.mel_lengths[row], run.lengths[batch.utterances[row]].mel);
      }
      found.push_back(batch.utterances);
    }
    EXPECT_EQ(stream.maker().lost().count(), 2U);
    std::vector<std::string> news = stream.maker().lost().take_news();
    std::ranges::sort(news);
    EXPECT_EQ(news, (std::vector<std::string>{"u21: its file is gone", "u7: its file is gone"}));
    EXPECT_TRUE(stream.maker().lost().take_news().empty());
    if (found_before.empty()) found_before = found;
    EXPECT_EQ(found, found_before);
  }
}

TEST(Prefetcher, TooManyThatAreGoneEndTheRunWithANamedError) {
  for (const int workers : {0, 2}) {
    SmallRun run = small_run();
    trouble(run)->lost = {1, 2, 3, 4};
    BatchSampler behind = loader_of(run);
    Prefetcher stream(behind, {.num_workers = workers, .buffer = 5});
    try {
      for (int i = 0; i < 100; ++i)
        stream.give_back(stream.next());
      FAIL() << "went on without its corpus";
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find("4 of 60 utterances could no longer be read"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(Prefetcher, AWorkersExceptionComesWhereItsUpdateWouldHave) {
  SmallRun run = small_run();
  const std::vector<Batch> expected = first_batches(run, 10);
  const std::size_t bad = expected[5].micro_batches[0].utterances[0];
  trouble(run)->broken = {bad};
  BatchSampler behind = loader_of(run);
  Prefetcher stream(behind, {.num_workers = 3, .buffer = 8});
  int num_broken = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    const auto uses = [&](const MicroBatch& batch) {  // in a row, or as a reference
      return std::ranges::find(batch.utterances, bad) != batch.utterances.end();
    };
    try {
      expect_same_update(*stream.next(), expected[i]);
      EXPECT_FALSE(uses(expected[i].micro_batches[0]));
    } catch (const BugError& error) {
      EXPECT_EQ(error.what(), run.features.utterances[bad].id + ": a worker broke");
      ++num_broken;
    }
  }
  EXPECT_GE(num_broken, 1);
}

TEST(Prefetcher, AReadThatNeverEndsCostsItsUtteranceAndNothingElse) {
  for (const bool is_idle_priority : {false, true}) {
    SmallRun run = small_run();
    const auto mels = trouble(run);
    mels->stuck = {11};
    BatchSampler behind = loader_of(run);
    const auto start = std::chrono::steady_clock::now();
    {
      Prefetcher stream(behind,
                        {.num_workers = 2,
                         .buffer = 4,
                         .is_idle_priority = is_idle_priority,
                         .patience = milliseconds(200)});
      for (std::int64_t i = 0; i < 2 * behind.batches_in_epoch(); ++i)
        stream.give_back(stream.next());
      EXPECT_GE(stream.report().num_stuck, 1);
      const std::vector<std::string> news = stream.maker().lost().take_news();
      ASSERT_EQ(news.size(), 1U);
      EXPECT_EQ(news[0], "u11: reading it did not end within 0.2 s");
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
    EXPECT_GE(mels->num_stuck, 1);
    mels->release();
  }
}

// A guest whose work was handed over is stuck as well: without another in its place nobody would
// run ahead any more.
TEST(Prefetcher, AGuestThatIsStuckIsReplacedWhoeverHasItsWork) {
  SmallRun run = small_run();
  run.settings.reference_frames = 0;  // so that each utterance is read once in an epoch
  const std::vector<Batch> expected = first_batches(run, 13);
  const auto mels = trouble(run);
  mels->stuck = {expected[5].micro_batches[0].utterances[0],
                 expected[12].micro_batches[0].utterances[0]};
  BatchSampler behind = loader_of(run);
  {
    Prefetcher stream(
        behind,
        {.num_workers = 2, .buffer = 4, .is_idle_priority = true, .patience = milliseconds(200)});
    for (std::size_t i = 0; i < expected.size(); ++i) {
      // Whoever asks too early has the rescue make it instead of a guest.
      const int num_stuck = mels->num_stuck;
      for (int ms = 0; ms < 2000 && stream.report().depth == 0 && mels->num_stuck == num_stuck;
           ++ms)
        std::this_thread::sleep_for(milliseconds(1));
      stream.give_back(stream.next());
    }

    EXPECT_EQ(stream.maker().lost().count(), 2U);
    EXPECT_TRUE(stream.wait_until_ready(4, milliseconds(10000)));
    EXPECT_GE(stream.report().num_stuck, 2);
  }
  mels->release();
}

// On a busy machine a guest has no core for long; that is no reason to lose an utterance.
TEST(Prefetcher, WhoComputesForLongIsNotStuck) {
  SmallRun run = small_run();
  const std::vector<Batch> expected = first_batches(run, 15);
  const auto mels = trouble(run);
  mels->busy = {expected[6].micro_batches[0].utterances[0]};
  mels->work = milliseconds(600);
  BatchSampler behind = loader_of(run);
  Prefetcher stream(behind, {.num_workers = 2, .buffer = 4, .patience = milliseconds(300)});

  for (const Batch& update : expected)
    expect_same_update(*stream.next(), update);

  EXPECT_EQ(stream.report().num_stuck, 0);
}

TEST(Prefetcher, ABlockThatGoesOnIsCounted) {
  const SmallRun run = small_run();
  for (const bool is_idle_priority : {false, true}) {
    BatchSampler behind = loader_of(run);
    const auto start = std::chrono::steady_clock::now();
    Prefetcher stream(behind,
                      {.num_workers = 1, .buffer = 3, .is_idle_priority = is_idle_priority});
    ASSERT_TRUE(stream.wait_until_ready(3, milliseconds(10000)));
    const double first_s = stream.report().blocked_s;
    double blocked_s = first_s;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (blocked_s < first_s + 0.02 && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(milliseconds(1));
      blocked_s = stream.report().blocked_s;  // nobody has taken any
    }
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - start;
    EXPECT_GE(blocked_s, first_s + 0.02);
    EXPECT_LE(blocked_s, all.count()) << "the rescue stands by, it is not blocked";
  }
}

TEST(Prefetcher, TimeThatIsNotTheProcessorsIsWaitingTime) {
  SmallRun run = small_run();
  trouble(run)->delay = milliseconds(2);
  for (const int workers : {0, 1}) {
    BatchSampler behind = loader_of(run);
    const auto start = std::chrono::steady_clock::now();
    Prefetcher stream(behind, {.num_workers = workers, .buffer = 4});
    for (int i = 0; i < 10; ++i)
      stream.give_back(stream.next());
    const PrefetchReport report = stream.report();
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - start;
    EXPECT_GT(report.waiting_s, 0.01) << "ten updates of at least one sleep";
    EXPECT_GT(report.busy_s, 0.0);
    EXPECT_LE(report.busy_s + report.waiting_s + report.blocked_s, all.count());
  }
}

}  // namespace
}  // namespace xtts::pipeline
