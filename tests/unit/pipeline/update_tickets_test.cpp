#include "pipeline/update_tickets.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/pipeline/small_run.h"

namespace xtts::pipeline {
namespace {

class UpdateTicketsTest : public testing::Test {
 protected:
  // Its memory is gone, as if somebody were making it.
  static std::optional<UpdateTicket> begin_work(UpdateTickets& tickets,
                                                WorkerRole role = WorkerRole::kWorker) {
    std::unique_ptr<Update> update;
    std::optional<UpdateTicket> ticket = tickets.take_work(role, update);
    EXPECT_NE(update, nullptr);
    return ticket;
  }

  static Slot made() { return {.update = std::make_unique<Update>(), .fault = nullptr}; }

  SmallRun run_ = small_run();
  Loader loader_{run_.features, run_.plan, run_.settings};
};

TEST_F(UpdateTicketsTest, AreTheLoadersUpdatesUntilTheBufferIsFull) {
  UpdateTickets tickets(loader_, 3, /*is_for_guests=*/false);
  Loader plain(run_.features, run_.plan, run_.settings);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(tickets.has_work_for(WorkerRole::kWorker)) << i;
    const std::optional<UpdateTicket> ticket = begin_work(tickets);
    ASSERT_TRUE(ticket);
    EXPECT_EQ(ticket->number, i);
    EXPECT_EQ(ticket->job.next, plain.take().next);
  }
  EXPECT_FALSE(tickets.has_work_for(WorkerRole::kWorker));
}

TEST_F(UpdateTicketsTest, AWorkerBeginsAgainAsSoonAsThereIsRoom) {
  UpdateTickets tickets(loader_, 4, /*is_for_guests=*/false);
  for (int i = 0; i < 4; ++i)
    ASSERT_TRUE(tickets.lay(begin_work(tickets), made()));
  EXPECT_FALSE(tickets.has_work_for(WorkerRole::kWorker));
  tickets.take_first();
  EXPECT_TRUE(tickets.has_work_for(WorkerRole::kWorker));
}

TEST_F(UpdateTicketsTest, AGuestBeginsAgainWhenHalfIsUsedUpAndFillsTheWhole) {
  UpdateTickets tickets(loader_, 4, /*is_for_guests=*/true);
  const auto fill = [&] {
    int count = 0;
    for (; tickets.has_work_for(WorkerRole::kGuest); ++count)
      EXPECT_TRUE(tickets.lay(begin_work(tickets, WorkerRole::kGuest), made()));
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
  UpdateTickets tickets(loader_, 4, /*is_for_guests=*/true);
  EXPECT_FALSE(tickets.has_work_for(WorkerRole::kRescue));
  tickets.set_asking(true);
  EXPECT_TRUE(tickets.has_work_for(WorkerRole::kRescue));
  begin_work(tickets, WorkerRole::kGuest);
  EXPECT_FALSE(tickets.has_work_for(WorkerRole::kRescue));
}

TEST_F(UpdateTicketsTest, WhatIsHandedOverIsMadeByOthersThanGuests) {
  UpdateTickets tickets(loader_, 4, /*is_for_guests=*/true);
  const std::optional<UpdateTicket> begun = begin_work(tickets, WorkerRole::kGuest);
  tickets.hand_over(begun);
  EXPECT_FALSE(tickets.has_work_for(WorkerRole::kRescue)) << "nobody asks";
  tickets.set_asking(true);
  ASSERT_TRUE(tickets.has_work_for(WorkerRole::kRescue));

  EXPECT_EQ(begin_work(tickets, WorkerRole::kGuest)->number, 1);
  const std::optional<UpdateTicket> again = begin_work(tickets, WorkerRole::kRescue);

  EXPECT_EQ(again->number, begun->number);
  EXPECT_EQ(again->job.next, begun->job.next);
  EXPECT_FALSE(tickets.has_work_for(WorkerRole::kRescue)) << "it is handed over once";
}

TEST_F(UpdateTicketsTest, WhatIsHandedOverIsWorkEvenWhenTheBufferIsFull) {
  UpdateTickets tickets(loader_, 1, /*is_for_guests=*/false);
  const std::optional<UpdateTicket> begun = begin_work(tickets);
  ASSERT_FALSE(tickets.has_work_for(WorkerRole::kWorker));
  tickets.hand_over(begun);
  EXPECT_TRUE(tickets.has_work_for(WorkerRole::kWorker));
}

TEST_F(UpdateTicketsTest, OnlyTheOneThatLeavesNextIsFirst) {
  UpdateTickets tickets(loader_, 2, /*is_for_guests=*/false);
  const std::optional<UpdateTicket> one = begin_work(tickets);
  const std::optional<UpdateTicket> other = begin_work(tickets);
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
  UpdateTickets tickets(loader_, 1, /*is_for_guests=*/false);
  std::unique_ptr<Update> update;
  const std::optional<UpdateTicket> old = tickets.take_work(WorkerRole::kWorker, update);
  update->epoch = 77;  // to know it again
  tickets.seek({.epoch = 1, .update = 2});

  EXPECT_FALSE(tickets.is_wanted(old));
  EXPECT_FALSE(tickets.lay(old, {.update = std::move(update), .fault = nullptr}));
  const std::optional<UpdateTicket> ticket = tickets.take_work(WorkerRole::kWorker, update);
  tickets.hand_over(old);

  ASSERT_TRUE(update);
  EXPECT_EQ(update->epoch, 77);
  EXPECT_EQ(ticket->job.epoch, 1);
  EXPECT_EQ(ticket->job.next.update, 3);
  EXPECT_EQ(tickets.slots().num_ready(), 0);
  EXPECT_FALSE(tickets.has_work_for(WorkerRole::kWorker)) << "the old one is not made again";
}

TEST_F(UpdateTicketsTest, ASeekForgetsWhatWasHandedOver) {
  UpdateTickets tickets(loader_, 1, /*is_for_guests=*/false);
  tickets.hand_over(begin_work(tickets));
  tickets.seek({.epoch = 0, .update = 0});
  EXPECT_EQ(begin_work(tickets)->number, 0);
  EXPECT_FALSE(tickets.has_work_for(WorkerRole::kWorker));
}

TEST_F(UpdateTicketsTest, ASeekThatIsRefusedChangesNothing) {
  UpdateTickets tickets(loader_, 2, /*is_for_guests=*/false);
  const std::optional<UpdateTicket> ticket = begin_work(tickets);
  EXPECT_THROW(tickets.seek({.epoch = 0, .update = 1'000'000}), UserError);
  EXPECT_TRUE(tickets.lay(ticket, made()));
  EXPECT_TRUE(tickets.slots().is_ready());
}

TEST_F(UpdateTicketsTest, AFaultIsLaidWithoutItsUpdateWhoseMemoryIsKept) {
  UpdateTickets tickets(loader_, 2, /*is_for_guests=*/false);
  std::unique_ptr<Update> update;
  const std::optional<UpdateTicket> ticket = tickets.take_work(WorkerRole::kWorker, update);
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
  UpdateTickets tickets(loader_, 2, /*is_for_guests=*/false);
  begin_work(tickets);
  EXPECT_FALSE(tickets.lay(std::nullopt, made()));
  EXPECT_FALSE(tickets.slots().is_ready());
}

TEST_F(UpdateTicketsTest, WhoMakesThemForOneselfTakesNoRoom) {
  UpdateTickets tickets(loader_, 1, /*is_for_guests=*/false);
  Loader plain(run_.features, run_.plan, run_.settings);
  for (int i = 0; i < 3; ++i) {
    std::unique_ptr<Update> update;
    EXPECT_EQ(tickets.take_for_oneself(update).next, plain.take().next);
    EXPECT_NE(update, nullptr);
    EXPECT_EQ(tickets.slots().num_ahead(), 0);
  }
}

}  // namespace
}  // namespace xtts::pipeline
