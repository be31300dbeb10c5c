#include "pipeline/loader_worker.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/pipeline/small_run.h"
#include "unit/pipeline/troubled_mels.h"

namespace xtts::pipeline {
namespace {

using std::chrono::milliseconds;

// A desk with one worker, who makes the updates of a loader that another one gives as well.
class UpdateWorkerTest : public testing::Test {
 protected:
  UpdateWorkerTest() {
    BatchSampler plain(run_.features, run_.plan, run_.settings);
    for (int i = 0; i < 3; ++i)
      expected_.push_back(plain.next());
    run_.features.mels = mels_;
  }

  ~UpdateWorkerTest() override {
    mels_->release();
    if (worker_) end();
  }

  void begin(PrefetchSettings settings, WorkerRole role = WorkerRole::kWorker) {
    loader_ = std::make_unique<BatchSampler>(run_.features, run_.plan, run_.settings);
    desk_ = std::make_shared<LoaderState>(*loader_, std::move(settings));
    worker_ = LoaderWorker::start(desk_, role);
  }

  void end() {
    {
      const std::scoped_lock lock(desk_->mutex);
      desk_->is_stopping = true;
    }
    desk_->room.notify_all();
    worker_->give_up();
    worker_->leave();
    worker_ = nullptr;
  }

  // Asked with the lock held; false if it is not so for ten seconds.
  template <typename Condition>
  bool comes_true(const Condition& condition) {
    for (int ms = 0; ms < 10'000; ++ms) {
      {
        const std::scoped_lock lock(desk_->mutex);
        if (condition()) return true;
      }
      std::this_thread::sleep_for(milliseconds(1));
    }
    return false;
  }

  std::size_t first_utterance() const { return expected_[0].micro_batches[0].utterances[0]; }

  SmallRun run_ = small_run();
  std::shared_ptr<TroubledMels> mels_ = std::make_shared<TroubledMels>(run_.features.mels);
  std::vector<Batch> expected_;
  std::unique_ptr<BatchSampler> loader_;
  std::shared_ptr<LoaderState> desk_;
  std::shared_ptr<LoaderWorker> worker_;
};

TEST_F(UpdateWorkerTest, LaysDownTheLoadersUpdatesUntilThereIsNoRoom) {
  begin({.buffer = 3});
  ASSERT_TRUE(comes_true([&] { return desk_->tickets.slots().num_in_order() == 3; }));
  end();
  EXPECT_EQ(desk_->report.num_made, 3);
  EXPECT_GT(desk_->report.busy_s, 0.0);
  for (const Batch& update : expected_)
    expect_same_update(*desk_->tickets.take_first().update, update);
}

TEST_F(UpdateWorkerTest, GoesOnWhenItIsToldThatThereIsRoom) {
  begin({.buffer = 1});
  ASSERT_TRUE(comes_true([&] { return desk_->tickets.slots().is_ready(); }));
  {
    const std::scoped_lock lock(desk_->mutex);
    desk_->tickets.take_first();
  }
  desk_->room.notify_all();
  ASSERT_TRUE(comes_true([&] { return desk_->tickets.slots().is_ready(); }));
  end();
  expect_same_update(*desk_->tickets.take_first().update, expected_[1]);
}

TEST_F(UpdateWorkerTest, WhatMakingAnUpdateThrowsIsInItsSlot) {
  mels_->broken = {first_utterance()};
  begin({.buffer = 1});
  ASSERT_TRUE(comes_true([&] { return desk_->tickets.slots().is_ready(); }));
  end();
  EXPECT_THROW(std::rethrow_exception(desk_->tickets.take_first().fault), BugError);
  EXPECT_EQ(desk_->fault, nullptr);
}

TEST_F(UpdateWorkerTest, WhatNoUpdateStandsForIsTheFaultOfTheDesk) {
  mels_->stuck = {first_utterance()};
  begin({.buffer = 1, .patience = milliseconds(60000)});
  ASSERT_TRUE(comes_true([&] { return mels_->num_stuck == 1; }));
  {
    const std::scoped_lock lock(desk_->mutex);  // so that there is no slot for it any more
    desk_->tickets.lay(worker_->ticket(), {.update = std::make_unique<Batch>(), .fault = nullptr});
  }
  mels_->release();
  ASSERT_TRUE(comes_true([&] { return desk_->fault != nullptr; }));
  EXPECT_THROW(std::rethrow_exception(desk_->fault), BugError);
}

TEST_F(UpdateWorkerTest, WhatItMakesWithoutItsTicketIsThrownAway) {
  mels_->stuck = {first_utterance()};
  begin({.buffer = 1, .patience = milliseconds(60000)});
  ASSERT_TRUE(comes_true([&] { return mels_->num_stuck == 1; }));
  {
    const std::scoped_lock lock(desk_->mutex);
    EXPECT_TRUE(desk_->tickets.is_first(worker_->take_ticket_away()));
  }
  mels_->release();
  ASSERT_TRUE(comes_true([&] { return desk_->report.num_made == 1; }));
  EXPECT_FALSE(desk_->tickets.slots().is_ready());
}

TEST_F(UpdateWorkerTest, IsBlockedWhileThereIsNoRoom) {
  using Clock = LoaderWorker::Clock;
  begin({.buffer = 1});
  ASSERT_TRUE(comes_true([&] { return worker_->blocked(Clock::now()) > milliseconds(5); }));
  end();
  EXPECT_GT(desk_->report.blocked_s, 0.005);
}

TEST_F(UpdateWorkerTest, IsNotBlockedWhileItStandsBy) {
  using Clock = LoaderWorker::Clock;
  begin({.buffer = 1, .is_idle_priority = true}, WorkerRole::kFallback);
  std::this_thread::sleep_for(milliseconds(20));
  {
    const std::scoped_lock lock(desk_->mutex);
    EXPECT_EQ(worker_->blocked(Clock::now()), Clock::duration(0));
  }
  end();
  EXPECT_EQ(desk_->report.blocked_s, 0.0);
  EXPECT_EQ(desk_->report.num_made, 0);
}

TEST_F(UpdateWorkerTest, IsStuckInAReadThatDoesNotEndUntilItIsGivenUp) {
  mels_->stuck = {first_utterance()};
  begin({.buffer = 1, .patience = milliseconds(50)});
  ASSERT_TRUE(comes_true([&] { return worker_->is_stuck(); }));
  EXPECT_EQ(worker_->utterance(), first_utterance());
  worker_->give_up();
  EXPECT_FALSE(worker_->is_stuck());
}

TEST_F(UpdateWorkerTest, IsLeftInAReadThatDoesNotEndAndEndsByItself) {
  mels_->stuck = {first_utterance()};
  begin({.buffer = 1, .patience = milliseconds(50)});
  ASSERT_TRUE(comes_true([&] { return worker_->is_stuck(); }));
  const std::weak_ptr<LoaderWorker> left = worker_;

  end();
  EXPECT_FALSE(left.expired()) << "it keeps itself alive";
  loader_ = nullptr;

  mels_->release();
  EXPECT_TRUE(comes_true([&] { return left.expired(); }));
  EXPECT_EQ(desk_->report.num_made, 0);
}

// Its read returns in the very moment in which it is given up.
TEST_F(UpdateWorkerTest, TakesNoOtherTicketOnceItIsGivenUp) {
  begin({.buffer = 1});
  ASSERT_TRUE(comes_true([&] { return desk_->report.num_made == 1 && !worker_->ticket(); }));
  {
    const std::scoped_lock lock(desk_->mutex);
    worker_->give_up();
    desk_->tickets.take_first();  // there is room for another
  }
  desk_->room.notify_all();
  worker_->leave();
  EXPECT_EQ(desk_->report.num_made, 1);
  EXPECT_FALSE(worker_->ticket());
  worker_ = nullptr;
}

TEST_F(UpdateWorkerTest, IsNotStuckWhileItComputes) {
  mels_->busy = {first_utterance()};
  mels_->work = milliseconds(600);
  const auto end = LoaderWorker::Clock::now() + milliseconds(450);  // before its read can
  begin({.buffer = 1, .patience = milliseconds(200)});
  bool was_stuck = false;
  for (; LoaderWorker::Clock::now() < end; std::this_thread::sleep_for(milliseconds(1)))
    was_stuck = was_stuck || worker_->is_stuck();
  EXPECT_FALSE(was_stuck);
}

TEST(LoaderState, CountsWhatWasNotTheProcessorsAsWaiting) {
  const SmallRun run = small_run();
  BatchSampler loader(run.features, run.plan, run.settings);
  LoaderState desk(loader, {});
  desk.count_made({.busy_s = 1.0, .wall_s = 3.0});
  desk.count_made({.busy_s = 2.0, .wall_s = 1.5});  // clocks are not that exact
  EXPECT_EQ(desk.report.num_made, 2);
  EXPECT_EQ(desk.report.busy_s, 3.0);
  EXPECT_EQ(desk.report.waiting_s, 2.0);
}

TEST(WorkClock, ASleepIsTimeButNotOfTheProcessor) {
  const WorkClock clock;
  std::this_thread::sleep_for(milliseconds(20));
  const WorkClock::Taken taken = clock.taken();
  EXPECT_GE(taken.wall_s, 0.02);
  EXPECT_GE(taken.busy_s, 0.0);
  EXPECT_LT(taken.busy_s, 0.02);
}

}  // namespace
}  // namespace xtts::pipeline
