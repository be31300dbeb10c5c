#include "pipeline/reorder_buffer.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace xtts::pipeline {
namespace {

Slot slot_with(std::int64_t epoch) {
  auto update = std::make_unique<Batch>();
  update->epoch = epoch;
  return {.update = std::move(update), .fault = nullptr};
}

TEST(ReorderBuffer, LeaveInTheOrderOfTheirNumbers) {
  ReorderBuffer slots(3);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(slots.hand_out(), i);
  slots.lay(2, slot_with(2));
  slots.lay(1, slot_with(1));
  EXPECT_FALSE(slots.is_ready());
  EXPECT_EQ(slots.num_ready(), 2);
  EXPECT_EQ(slots.num_in_order(), 0) << "the first is missing";
  slots.lay(0, slot_with(0));
  EXPECT_EQ(slots.num_in_order(), 3);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(slots.take().update->epoch, i);
  EXPECT_FALSE(slots.is_ready());
  EXPECT_EQ(slots.num_ahead(), 0);
}

TEST(ReorderBuffer, AFaultIsReadyToo) {
  ReorderBuffer slots(2);
  slots.hand_out();
  slots.lay(0, {.update = nullptr, .fault = std::make_exception_ptr(1)});
  EXPECT_TRUE(slots.is_ready());
  EXPECT_TRUE(slots.has_fault());
  EXPECT_EQ(slots.num_ready(), 0);
  EXPECT_NE(slots.take().fault, nullptr);
  EXPECT_FALSE(slots.has_fault());
}

TEST(ReorderBuffer, AreInOrderUpToTheFirstThatIsMissingOrFailed) {
  ReorderBuffer slots(4);
  EXPECT_EQ(slots.num_in_order(), 0);
  for (int i = 0; i < 4; ++i)
    slots.hand_out();
  slots.lay(0, slot_with(0));
  slots.lay(1, slot_with(1));
  slots.lay(3, slot_with(3));
  EXPECT_EQ(slots.num_in_order(), 2);
  slots.lay(2, {.update = nullptr, .fault = std::make_exception_ptr(1)});
  EXPECT_EQ(slots.num_in_order(), 2);
  slots.take();
  EXPECT_EQ(slots.num_in_order(), 1);
}

TEST(ReorderBuffer, KeepWhatIsAheadWhenTheyChangeTheirNumber) {
  ReorderBuffer slots(5);
  for (int i = 0; i < 5; ++i)
    slots.lay(slots.hand_out(), slot_with(i));
  EXPECT_EQ(slots.take().update->epoch, 0);
  slots.resize(2);
  EXPECT_EQ(slots.capacity(), 2);
  EXPECT_EQ(slots.num_ahead(), 4);
  EXPECT_EQ(slots.take().update->epoch, 1);
  slots.resize(9);
  slots.lay(slots.hand_out(), slot_with(5));
  for (int i = 2; i < 6; ++i)
    EXPECT_EQ(slots.take().update->epoch, i);
}

TEST(ReorderBuffer, MemoryIsUsedAgainButNotHoarded) {
  ReorderBuffer slots(1);
  for (int i = 0; i < 10; ++i)
    slots.keep(slot_with(i).update);
  EXPECT_NE(slots.spare()->epoch, 0);
  EXPECT_EQ(slots.spare()->epoch, 0);
  EXPECT_EQ(slots.spare()->epoch, 0);  // a new one
}

TEST(ReorderBuffer, RefuseWhatWasNotHandedOut) {
  ReorderBuffer slots(2);
  EXPECT_THROW(slots.lay(0, slot_with(0)), BugError);
  slots.hand_out();
  slots.lay(0, slot_with(0));
  EXPECT_THROW(slots.lay(0, slot_with(0)), BugError);
  slots.clear();
  EXPECT_THROW(slots.lay(0, slot_with(0)), BugError);
  EXPECT_THROW(slots.take(), BugError);
}

}  // namespace
}  // namespace xtts::pipeline
