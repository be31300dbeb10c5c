#include "pipeline/work_queue.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/pipeline/small_run.h"

namespace xtts::pipeline {
namespace {

class UpdateTicketsTest : public testing::Test {
 protected:
  // Its memory is gone, as if somebody were making it.
  static std::optional<WorkItem> begin_work(WorkQueue& tickets,
                                            WorkerRole role = WorkerRole::kWorker) {
    std::unique_ptr<Batch> update;
    std::optional<WorkItem> ticket = tickets.take_work(role, update);
    EXPECT_NE(update, nullptr);
    return ticket;
  }

  static Slot made() { return {.update = std::make_unique<Batch>(), .fault = nullptr}; }

  SmallRun run_ = small_run();
  BatchSampler loader_{run_.features, run_.plan, run_.settings};
};

TEST_F(UpdateTicketsTest, AreTheLoadersUpdatesUntilTheBufferIsFull) {
  WorkQueue tickets(loader_, 3, /*is_idle_priority=*/false);
  BatchSampler plain(run_.features, run_.plan, run_.settings);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(tickets.has_work_for(WorkerRole::kWorker)) << i;
    const std::optional<WorkItem> ticket = begin_work(tickets);
    ASSERT_TRUE(ticket);
    EXPECT_EQ(ticket->number, i);
    EXPECT_EQ(ticket->job.next, plain.take().next);
  }
  EXPECT_FALSE(tickets.has_work_for(WorkerRole::kWorker));
}

TEST_F(UpdateTicketsTest, AWorkerBeginsAgainAsSoonAsThereIsRoom) {
  WorkQueue tickets(loader_, 4, /*is_idle_priority=*/false);
  for (int i = 0; i < 4; ++i)
    ASSERT_TRUE(tickets.lay(begin_work(tickets), made()));
  EXPECT_FALSE(tickets.has_work_for(WorkerRole::kWorker));
  tickets.take_first();
  EXPECT_TRUE(tickets.has_work_for(WorkerRole::kWorker));
}

TEST_F(UpdateTicketsTest, AGuestBeginsAgainWhenHalfIsUsedUpAndFillsTheWhole) {
  WorkQueue tickets(loader_, 4, /*is_idle_priority=*/true);
  const auto fill = [&] {
    int count = 0;
    for (; tickets.has_work_for(WorkerRole::kIdlePriority); ++count)
      EXPECT_TRUE(tickets.lay(begin_work(tickets, WorkerRole::kIdlePriority), made()));
    return count;
  };
  EXPECT_EQ(fill(), 4);
  tickets.take_first();
  EXPECT_EQ(fill(), 0);
  tickets.take_first();
  EXPECT_EQ(fill(), 2);

  tickets.take_first();
  tickets.fill_up();
  EXPECT_EQ(fill(), 1) << "whoever is told to does not wait for the half";
}

TEST_F(UpdateTicketsTest, TheRescueBeginsNothingUnlessSomebodyAsksAndNobodyHasBegun) {
  WorkQueue tickets(loader_, 4, /*is_idle_priority=*/true);
  EXPECT_FALSE(tickets.has_work_for(WorkerRole::kFallback));
  tickets.set_asking(true);
  EXPECT_TRUE(tickets.has_work_for(WorkerRole::kFallback));
  begin_work(tickets, WorkerRole::kIdlePriority);
  EXPECT_FALSE(tickets.has_work_for(WorkerRole::kFallback));
}

TEST_F(UpdateTicketsTest, WhatIsHandedOverIsMadeByOthersThanGuests) {
  WorkQueue tickets(loader_, 4, /*is_idle_priority=*/true);
  const std::optional<WorkItem> begun = begin_work(tickets, WorkerRole::kIdlePriority);
  tickets.hand_over(begun);
  EXPECT_FALSE(tickets.has_work_for(WorkerRole::kFallback)) << "nobody asks";
  tickets.set_asking(true);
  ASSERT_TRUE(tickets.has_work_for(WorkerRole::kFallback));

  EXPECT_EQ(begin_work(tickets, WorkerRole::kIdlePriority)->number, 1);
  const std::optional<WorkItem> again = begin_work(tickets, WorkerRole::kFallback);

  EXPECT_EQ(again->number, begun->number);
  EXPECT_EQ(again->job.next, begun->job.next);
  EXPECT_FALSE(tickets.has_work_for(WorkerRole::kFallback)) << "it is handed over once";
}

TEST_F(UpdateTicketsTest, WhatIsHandedOverIsWorkEvenWhenTheBufferIsFull) {
  WorkQueue tickets(loader_, 1, /*is_idle_priority=*/false);
  const std::optional<WorkItem> begun = begin_work(tickets);
  ASSERT_FALSE(tickets.has_work_for(WorkerRole::kWorker));
  tickets.hand_over(begun);
  EXPECT_TRUE(tickets.has_work_for(WorkerRole::kWorker));
}

TEST_F(UpdateTicketsTest, OnlyTheOneThatLeavesNextIsFirst) {
  WorkQueue tickets(loader_, 2, /*is_idle_priority=*/false);
  const std::optional<WorkItem> one = begin_work(tickets);
  const std::optional<WorkItem> other = begin_work(tickets);
  EXPECT_TRUE(tickets.is_first(one));
  EXPECT_FALSE(tickets.is_first(other));
  EXPECT_FALSE(tickets.is_first(std::nullopt));
  tickets.lay(one, made());
  tickets.take_first();
  EXPECT_TRUE(tickets.is_first(other));
  tickets.seek({.epoch = 0, .update = 1});
  begin_work(tickets);
  EXPECT_FALSE(tickets.is_first(one)) << "of the same number, but before the seek";
}

TEST_F(UpdateTicketsTest, WhatIsOlderThanASeekIsThrownAwayButForItsMemory) {
  WorkQueue tickets(loader_, 1, /*is_idle_priority=*/false);
  std::unique_ptr<Batch> update;
  const std::optional<WorkItem> old = tickets.take_work(WorkerRole::kWorker, update);
  update->epoch = 77;  // to know it again
  tickets.seek({.epoch = 1, .update = 2});

  EXPECT_FALSE(tickets.is_wanted(old));
  EXPECT_FALSE(tickets.lay(old, {.update = std::move(update), .fault = nullptr}));
  const std::optional<WorkItem> ticket = tickets.take_work(WorkerRole::kWorker, update);
  tickets.hand_over(old);

  ASSERT_TRUE(update);
  EXPECT_EQ(update->epoch, 77);
  EXPECT_EQ(ticket->job.epoch, 1);
  EXPECT_EQ(ticket->job.next.update, 3);
  EXPECT_EQ(tickets.slots().num_ready(), 0);
  EXPECT_FALSE(tickets.has_work_for(WorkerRole::kWorker)) << "the old one is not made again";
}

TEST_F(UpdateTicketsTest, ASeekForgetsWhatWasHandedOver) {
  WorkQueue tickets(loader_, 1, /*is_idle_priority=*/false);
  tickets.hand_over(begin_work(tickets));
  tickets.seek({.epoch = 0, .update = 0});
  EXPECT_EQ(begin_work(tickets)->number, 0);
  EXPECT_FALSE(tickets.has_work_for(WorkerRole::kWorker));
}

TEST_F(UpdateTicketsTest, ASeekThatIsRefusedChangesNothing) {
  WorkQueue tickets(loader_, 2, /*is_idle_priority=*/false);
  const std::optional<WorkItem> ticket = begin_work(tickets);
  EXPECT_THROW(tickets.seek({.epoch = 0, .update = 1'000'000}), UserError);
  EXPECT_TRUE(tickets.lay(ticket, made()));
  EXPECT_TRUE(tickets.slots().is_ready());
}

TEST_F(UpdateTicketsTest, AFaultIsLaidWithoutItsUpdateWhoseMemoryIsKept) {
  WorkQueue tickets(loader_, 2, /*is_idle_priority=*/false);
  std::unique_ptr<Batch> update;
  const std::optional<WorkItem> ticket = tickets.take_work(WorkerRole::kWorker, update);
  update->epoch = 77;  // to know it again

  EXPECT_TRUE(
      tickets.lay(ticket, {.update = std::move(update), .fault = std::make_exception_ptr(1)}));

  tickets.take_work(WorkerRole::kWorker, update);
  EXPECT_EQ(update->epoch, 77);
  const Slot taken = tickets.take_first();
  EXPECT_EQ(taken.update, nullptr);
  EXPECT_NE(taken.fault, nullptr);
}

TEST_F(UpdateTicketsTest, WhoHasNoTicketAnyMoreLaysNothing) {
  WorkQueue tickets(loader_, 2, /*is_idle_priority=*/false);
  begin_work(tickets);
  EXPECT_FALSE(tickets.lay(std::nullopt, made()));
  EXPECT_FALSE(tickets.slots().is_ready());
}

TEST_F(UpdateTicketsTest, WhoMakesThemForOneselfTakesNoRoom) {
  WorkQueue tickets(loader_, 1, /*is_idle_priority=*/false);
  BatchSampler plain(run_.features, run_.plan, run_.settings);
  for (int i = 0; i < 3; ++i) {
    std::unique_ptr<Batch> update;
    EXPECT_EQ(tickets.take_for_oneself(update).next, plain.take().next);
    EXPECT_NE(update, nullptr);
    EXPECT_EQ(tickets.slots().num_ahead(), 0);
  }
}

}  // namespace
}  // namespace xtts::pipeline
