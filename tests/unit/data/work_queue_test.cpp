#include "data/work_queue.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/data/small_run.h"

namespace myxtts::data {
namespace {

class WorkQueueTest : public testing::Test {
 protected:
  // Takes an item and drops the memory of its batch.
  static std::optional<WorkItem> begin_work(WorkQueue& queue,
                                            WorkerRole role = WorkerRole::kWorker) {
    std::unique_ptr<Batch> batch;
    std::optional<WorkItem> item = queue.take_work(role, batch);
    EXPECT_NE(batch, nullptr);
    return item;
  }

  static BufferEntry finished_entry() {
    return {.batch = std::make_unique<Batch>(), .fault = nullptr};
  }

  SmallRun run_ = small_run();
  BatchSampler sampler_{run_.features, run_.plan, run_.settings};
};

TEST_F(WorkQueueTest, HandsOutTheBatchesOfTheSamplerUntilTheBufferIsFull) {
  WorkQueue queue(sampler_, 3, /*is_idle_priority=*/false);
  BatchSampler reference(run_.features, run_.plan, run_.settings);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(queue.has_work_for(WorkerRole::kWorker)) << i;
    const std::optional<WorkItem> item = begin_work(queue);
    ASSERT_TRUE(item);
    EXPECT_EQ(item->number, i);
    EXPECT_EQ(item->job.next, reference.next_job().next);
  }
  EXPECT_FALSE(queue.has_work_for(WorkerRole::kWorker));
}

TEST_F(WorkQueueTest, WorkerContinuesAsSoonAsThereIsRoom) {
  WorkQueue queue(sampler_, 4, /*is_idle_priority=*/false);
  for (int i = 0; i < 4; ++i)
    ASSERT_TRUE(queue.put(begin_work(queue), finished_entry()));
  EXPECT_FALSE(queue.has_work_for(WorkerRole::kWorker));
  queue.take_first();
  EXPECT_TRUE(queue.has_work_for(WorkerRole::kWorker));
}

TEST_F(WorkQueueTest, IdlePriorityWorkerRefillsAHalfEmptyBufferCompletely) {
  WorkQueue queue(sampler_, 4, /*is_idle_priority=*/true);
  const auto fill = [&] {
    int count = 0;
    for (; queue.has_work_for(WorkerRole::kIdlePriority); ++count)
      EXPECT_TRUE(queue.put(begin_work(queue, WorkerRole::kIdlePriority), finished_entry()));
    return count;
  };
  EXPECT_EQ(fill(), 4);
  queue.take_first();
  EXPECT_EQ(fill(), 0);
  queue.take_first();
  EXPECT_EQ(fill(), 2);

  queue.take_first();
  queue.fill_up();
  EXPECT_EQ(fill(), 1) << "fill_up() does not wait until half is used";
}

TEST_F(WorkQueueTest, FallbackWorkerStartsOnlyIfTheConsumerWaitsAndNoBatchIsInFlight) {
  WorkQueue queue(sampler_, 4, /*is_idle_priority=*/true);
  EXPECT_FALSE(queue.has_work_for(WorkerRole::kFallback));
  queue.set_consumer_waiting(true);
  EXPECT_TRUE(queue.has_work_for(WorkerRole::kFallback));
  begin_work(queue, WorkerRole::kIdlePriority);
  EXPECT_FALSE(queue.has_work_for(WorkerRole::kFallback));
}

TEST_F(WorkQueueTest, RequeuedItemGoesToWorkersWithoutIdlePriority) {
  WorkQueue queue(sampler_, 4, /*is_idle_priority=*/true);
  const std::optional<WorkItem> begun = begin_work(queue, WorkerRole::kIdlePriority);
  queue.requeue(begun);
  EXPECT_FALSE(queue.has_work_for(WorkerRole::kFallback)) << "the consumer does not wait";
  queue.set_consumer_waiting(true);
  ASSERT_TRUE(queue.has_work_for(WorkerRole::kFallback));

  EXPECT_EQ(begin_work(queue, WorkerRole::kIdlePriority)->number, 1);
  const std::optional<WorkItem> again = begin_work(queue, WorkerRole::kFallback);

  EXPECT_EQ(again->number, begun->number);
  EXPECT_EQ(again->job.next, begun->job.next);
  EXPECT_FALSE(queue.has_work_for(WorkerRole::kFallback)) << "the item is requeued once";
}

TEST_F(WorkQueueTest, RequeuedItemIsWorkEvenIfTheBufferIsFull) {
  WorkQueue queue(sampler_, 1, /*is_idle_priority=*/false);
  const std::optional<WorkItem> begun = begin_work(queue);
  ASSERT_FALSE(queue.has_work_for(WorkerRole::kWorker));
  queue.requeue(begun);
  EXPECT_TRUE(queue.has_work_for(WorkerRole::kWorker));
}

TEST_F(WorkQueueTest, OnlyTheItemThatIsTakenNextIsFirst) {
  WorkQueue queue(sampler_, 2, /*is_idle_priority=*/false);
  const std::optional<WorkItem> one = begin_work(queue);
  const std::optional<WorkItem> other = begin_work(queue);
  EXPECT_TRUE(queue.is_first(one));
  EXPECT_FALSE(queue.is_first(other));
  EXPECT_FALSE(queue.is_first(std::nullopt));
  queue.put(one, finished_entry());
  queue.take_first();
  EXPECT_TRUE(queue.is_first(other));
  queue.seek({.epoch = 0, .batch = 1});
  begin_work(queue);
  EXPECT_FALSE(queue.is_first(one)) << "equal number, but before the seek";
}

TEST_F(WorkQueueTest, ResultFromBeforeASeekIsDroppedAndItsMemoryRecycled) {
  WorkQueue queue(sampler_, 1, /*is_idle_priority=*/false);
  std::unique_ptr<Batch> batch;
  const std::optional<WorkItem> old = queue.take_work(WorkerRole::kWorker, batch);
  batch->epoch = 77;  // to recognise it
  queue.seek({.epoch = 1, .batch = 2});

  EXPECT_FALSE(queue.is_wanted(old));
  EXPECT_FALSE(queue.put(old, {.batch = std::move(batch), .fault = nullptr}));
  const std::optional<WorkItem> item = queue.take_work(WorkerRole::kWorker, batch);
  queue.requeue(old);

  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->epoch, 77);
  EXPECT_EQ(item->job.epoch, 1);
  EXPECT_EQ(item->job.next.batch, 3);
  EXPECT_EQ(queue.buffer().num_ready(), 0);
  EXPECT_FALSE(queue.has_work_for(WorkerRole::kWorker)) << "the old item is not requeued";
}

TEST_F(WorkQueueTest, SeekDropsRequeuedItems) {
  WorkQueue queue(sampler_, 1, /*is_idle_priority=*/false);
  queue.requeue(begin_work(queue));
  queue.seek({.epoch = 0, .batch = 0});
  EXPECT_EQ(begin_work(queue)->number, 0);
  EXPECT_FALSE(queue.has_work_for(WorkerRole::kWorker));
}

TEST_F(WorkQueueTest, RejectedSeekChangesNothing) {
  WorkQueue queue(sampler_, 2, /*is_idle_priority=*/false);
  const std::optional<WorkItem> item = begin_work(queue);
  EXPECT_THROW(queue.seek({.epoch = 0, .batch = 1'000'000}), UserError);
  EXPECT_TRUE(queue.put(item, finished_entry()));
  EXPECT_TRUE(queue.buffer().is_ready());
}

TEST_F(WorkQueueTest, FaultIsPutAndTheMemoryOfItsBatchRecycled) {
  WorkQueue queue(sampler_, 2, /*is_idle_priority=*/false);
  std::unique_ptr<Batch> batch;
  const std::optional<WorkItem> item = queue.take_work(WorkerRole::kWorker, batch);
  batch->epoch = 77;  // to recognise it

  EXPECT_TRUE(queue.put(item, {.batch = std::move(batch), .fault = std::make_exception_ptr(1)}));

  queue.take_work(WorkerRole::kWorker, batch);
  EXPECT_EQ(batch->epoch, 77);
  const BufferEntry entry = queue.take_first();
  EXPECT_EQ(entry.batch, nullptr);
  EXPECT_NE(entry.fault, nullptr);
}

TEST_F(WorkQueueTest, RevokedItemPutsNothing) {
  WorkQueue queue(sampler_, 2, /*is_idle_priority=*/false);
  begin_work(queue);
  EXPECT_FALSE(queue.put(std::nullopt, finished_entry()));
  EXPECT_FALSE(queue.buffer().is_ready());
}

TEST_F(WorkQueueTest, InlineCollationTakesNoRoom) {
  WorkQueue queue(sampler_, 1, /*is_idle_priority=*/false);
  BatchSampler reference(run_.features, run_.plan, run_.settings);
  for (int i = 0; i < 3; ++i) {
    std::unique_ptr<Batch> batch;
    EXPECT_EQ(queue.take_inline(batch).next, reference.next_job().next);
    EXPECT_NE(batch, nullptr);
    EXPECT_EQ(queue.buffer().num_in_flight(), 0);
  }
}

}  // namespace
}  // namespace myxtts::data
