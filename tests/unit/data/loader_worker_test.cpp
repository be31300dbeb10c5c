#include "data/loader_worker.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/data/fault_injecting_mels.h"
#include "unit/data/small_run.h"

namespace myxtts::data {
namespace {

using std::chrono::milliseconds;

// One worker, its state, and the batches of a second sampler to compare with.
class LoaderWorkerTest : public testing::Test {
 protected:
  LoaderWorkerTest() {
    BatchSampler reference(run_.features, run_.plan, run_.settings);
    for (int i = 0; i < 3; ++i)
      expected_.push_back(reference.next());
    run_.features.mels = mels_;
  }

  ~LoaderWorkerTest() override {
    mels_->release();
    if (worker_) end();
  }

  void begin(PrefetchSettings settings, WorkerRole role = WorkerRole::kWorker) {
    sampler_ = std::make_unique<BatchSampler>(run_.features, run_.plan, run_.settings);
    state_ = std::make_shared<LoaderState>(*sampler_, std::move(settings));
    worker_ = LoaderWorker::start(state_, role);
  }

  void end() {
    {
      const std::scoped_lock lock(state_->mutex);
      state_->is_stopping = true;
    }
    state_->room.notify_all();
    worker_->abandon();
    worker_->join_or_detach();
    worker_ = nullptr;
  }

  // Evaluates the condition with the lock held. Returns false after ten seconds.
  template <typename Condition>
  bool becomes_true(const Condition& condition) {
    for (int ms = 0; ms < 10'000; ++ms) {
      {
        const std::scoped_lock lock(state_->mutex);
        if (condition()) return true;
      }
      std::this_thread::sleep_for(milliseconds(1));
    }
    return false;
  }

  std::size_t first_utterance() const { return expected_[0].micro_batches[0].utterances[0]; }

  SmallRun run_ = small_run();
  std::shared_ptr<FaultInjectingMels> mels_ =
      std::make_shared<FaultInjectingMels>(run_.features.mels);
  std::vector<Batch> expected_;
  std::unique_ptr<BatchSampler> sampler_;
  std::shared_ptr<LoaderState> state_;
  std::shared_ptr<LoaderWorker> worker_;
};

TEST_F(LoaderWorkerTest, FillsTheBufferInTheOrderOfTheSampler) {
  begin({.buffer = 3});
  ASSERT_TRUE(becomes_true([&] { return state_->queue.buffer().num_in_order() == 3; }));
  end();
  EXPECT_EQ(state_->report.num_batches, 3);
  EXPECT_GT(state_->report.busy_s, 0.0);
  for (const Batch& batch : expected_)
    expect_same_batch(*state_->queue.take_first().batch, batch);
}

TEST_F(LoaderWorkerTest, ContinuesWhenNotifiedOfRoom) {
  begin({.buffer = 1});
  ASSERT_TRUE(becomes_true([&] { return state_->queue.buffer().is_ready(); }));
  {
    const std::scoped_lock lock(state_->mutex);
    state_->queue.take_first();
  }
  state_->room.notify_all();
  ASSERT_TRUE(becomes_true([&] { return state_->queue.buffer().is_ready(); }));
  end();
  expect_same_batch(*state_->queue.take_first().batch, expected_[1]);
}

TEST_F(LoaderWorkerTest, ExceptionOfABatchIsInItsEntry) {
  mels_->broken = {first_utterance()};
  begin({.buffer = 1});
  ASSERT_TRUE(becomes_true([&] { return state_->queue.buffer().is_ready(); }));
  end();
  EXPECT_THROW(std::rethrow_exception(state_->queue.take_first().fault), BugError);
  EXPECT_EQ(state_->fault, nullptr);
}

TEST_F(LoaderWorkerTest, OtherExceptionIsTheFaultOfTheState) {
  mels_->stuck = {first_utterance()};
  begin({.buffer = 1, .read_timeout = milliseconds(60000)});
  ASSERT_TRUE(becomes_true([&] { return mels_->num_stuck == 1; }));
  {
    const std::scoped_lock lock(state_->mutex);  // so that the entry is occupied
    state_->queue.put(worker_->item(), {.batch = std::make_unique<Batch>(), .fault = nullptr});
  }
  mels_->release();
  ASSERT_TRUE(becomes_true([&] { return state_->fault != nullptr; }));
  EXPECT_THROW(std::rethrow_exception(state_->fault), BugError);
}

TEST_F(LoaderWorkerTest, ResultOfARevokedItemIsDropped) {
  mels_->stuck = {first_utterance()};
  begin({.buffer = 1, .read_timeout = milliseconds(60000)});
  ASSERT_TRUE(becomes_true([&] { return mels_->num_stuck == 1; }));
  {
    const std::scoped_lock lock(state_->mutex);
    EXPECT_TRUE(state_->queue.is_first(worker_->revoke_item()));
  }
  mels_->release();
  ASSERT_TRUE(becomes_true([&] { return state_->report.num_batches == 1; }));
  EXPECT_FALSE(state_->queue.buffer().is_ready());
}

TEST_F(LoaderWorkerTest, IsBlockedWhileThereIsNoRoom) {
  using Clock = LoaderWorker::Clock;
  begin({.buffer = 1});
  ASSERT_TRUE(becomes_true([&] { return worker_->blocked(Clock::now()) > milliseconds(5); }));
  end();
  EXPECT_GT(state_->report.blocked_s, 0.005);
}

TEST_F(LoaderWorkerTest, FallbackWorkerIsNeverBlocked) {
  using Clock = LoaderWorker::Clock;
  begin({.buffer = 1, .is_idle_priority = true}, WorkerRole::kFallback);
  std::this_thread::sleep_for(milliseconds(20));
  {
    const std::scoped_lock lock(state_->mutex);
    EXPECT_EQ(worker_->blocked(Clock::now()), Clock::duration(0));
  }
  end();
  EXPECT_EQ(state_->report.blocked_s, 0.0);
  EXPECT_EQ(state_->report.num_batches, 0);
}

TEST_F(LoaderWorkerTest, IsStuckInAnEndlessReadUntilItIsAbandoned) {
  mels_->stuck = {first_utterance()};
  begin({.buffer = 1, .read_timeout = milliseconds(50)});
  ASSERT_TRUE(becomes_true([&] { return worker_->is_stuck(); }));
  EXPECT_EQ(worker_->utterance(), first_utterance());
  worker_->abandon();
  EXPECT_FALSE(worker_->is_stuck());
}

TEST_F(LoaderWorkerTest, IsDetachedInAnEndlessReadAndEndsByItself) {
  mels_->stuck = {first_utterance()};
  begin({.buffer = 1, .read_timeout = milliseconds(50)});
  ASSERT_TRUE(becomes_true([&] { return worker_->is_stuck(); }));
  const std::weak_ptr<LoaderWorker> left = worker_;

  end();
  EXPECT_FALSE(left.expired()) << "the worker keeps itself alive";
  sampler_ = nullptr;

  mels_->release();
  EXPECT_TRUE(becomes_true([&] { return left.expired(); }));
  EXPECT_EQ(state_->report.num_batches, 0);
}

// The read returns at the moment at which the worker is abandoned.
TEST_F(LoaderWorkerTest, TakesNoOtherItemOnceItIsAbandoned) {
  begin({.buffer = 1});
  ASSERT_TRUE(becomes_true([&] { return state_->report.num_batches == 1 && !worker_->item(); }));
  {
    const std::scoped_lock lock(state_->mutex);
    worker_->abandon();
    state_->queue.take_first();  // makes room for another batch
  }
  state_->room.notify_all();
  worker_->join_or_detach();
  EXPECT_EQ(state_->report.num_batches, 1);
  EXPECT_FALSE(worker_->item());
  worker_ = nullptr;
}

TEST_F(LoaderWorkerTest, IsNotStuckWhileItComputes) {
  mels_->busy = {first_utterance()};
  mels_->work = milliseconds(600);
  const auto end = LoaderWorker::Clock::now() + milliseconds(450);  // before its read ends
  begin({.buffer = 1, .read_timeout = milliseconds(200)});
  bool was_stuck = false;
  for (; LoaderWorker::Clock::now() < end; std::this_thread::sleep_for(milliseconds(1)))
    was_stuck = was_stuck || worker_->is_stuck();
  EXPECT_FALSE(was_stuck);
}

TEST(LoaderState, CountsTimeWithoutCpuAsWaiting) {
  const SmallRun run = small_run();
  BatchSampler sampler(run.features, run.plan, run.settings);
  LoaderState state(sampler, {});
  state.count_batch({.busy_s = 1.0, .wall_s = 3.0});
  state.count_batch({.busy_s = 2.0, .wall_s = 1.5});  // clocks are not exact
  EXPECT_EQ(state.report.num_batches, 2);
  EXPECT_EQ(state.report.busy_s, 3.0);
  EXPECT_EQ(state.report.waiting_s, 2.0);
}

TEST(WorkClock, SleepIsWallTimeButNotCpuTime) {
  const WorkClock clock;
  std::this_thread::sleep_for(milliseconds(20));
  const WorkClock::Elapsed elapsed = clock.elapsed();
  EXPECT_GE(elapsed.wall_s, 0.02);
  EXPECT_GE(elapsed.busy_s, 0.0);
  EXPECT_LT(elapsed.busy_s, 0.02);
}

}  // namespace
}  // namespace myxtts::data
