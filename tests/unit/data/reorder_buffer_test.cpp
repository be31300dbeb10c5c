#include "data/reorder_buffer.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::data {
namespace {

BufferEntry entry_with(std::int64_t epoch) {
  auto batch = std::make_unique<Batch>();
  batch->epoch = epoch;
  return {.batch = std::move(batch), .fault = nullptr};
}

TEST(ReorderBuffer, EntriesLeaveInTheOrderOfTheirNumbers) {
  ReorderBuffer buffer(3);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(buffer.issue(), i);
  buffer.put(2, entry_with(2));
  buffer.put(1, entry_with(1));
  EXPECT_FALSE(buffer.is_ready());
  EXPECT_EQ(buffer.num_ready(), 2);
  EXPECT_EQ(buffer.num_in_order(), 0) << "the first is missing";
  buffer.put(0, entry_with(0));
  EXPECT_EQ(buffer.num_in_order(), 3);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(buffer.take().batch->epoch, i);
  EXPECT_FALSE(buffer.is_ready());
  EXPECT_EQ(buffer.num_in_flight(), 0);
}

TEST(ReorderBuffer, FaultIsReady) {
  ReorderBuffer buffer(2);
  buffer.issue();
  buffer.put(0, {.batch = nullptr, .fault = std::make_exception_ptr(1)});
  EXPECT_TRUE(buffer.is_ready());
  EXPECT_TRUE(buffer.has_fault());
  EXPECT_EQ(buffer.num_ready(), 0);
  EXPECT_NE(buffer.take().fault, nullptr);
  EXPECT_FALSE(buffer.has_fault());
}

TEST(ReorderBuffer, CountsEntriesUpToTheFirstMissingOrFailedOne) {
  ReorderBuffer buffer(4);
  EXPECT_EQ(buffer.num_in_order(), 0);
  for (int i = 0; i < 4; ++i)
    buffer.issue();
  buffer.put(0, entry_with(0));
  buffer.put(1, entry_with(1));
  buffer.put(3, entry_with(3));
  EXPECT_EQ(buffer.num_in_order(), 2);
  buffer.put(2, {.batch = nullptr, .fault = std::make_exception_ptr(1)});
  EXPECT_EQ(buffer.num_in_order(), 2);
  buffer.take();
  EXPECT_EQ(buffer.num_in_order(), 1);
}

TEST(ReorderBuffer, ResizeKeepsEntriesInFlight) {
  ReorderBuffer buffer(5);
  for (int i = 0; i < 5; ++i)
    buffer.put(buffer.issue(), entry_with(i));
  EXPECT_EQ(buffer.take().batch->epoch, 0);
  buffer.resize(2);
  EXPECT_EQ(buffer.capacity(), 2);
  EXPECT_EQ(buffer.num_in_flight(), 4);
  EXPECT_EQ(buffer.take().batch->epoch, 1);
  buffer.resize(9);
  buffer.put(buffer.issue(), entry_with(5));
  for (int i = 2; i < 6; ++i)
    EXPECT_EQ(buffer.take().batch->epoch, i);
}

TEST(ReorderBuffer, RecyclesALimitedNumberOfBatches) {
  ReorderBuffer buffer(1);
  for (int i = 0; i < 10; ++i)
    buffer.recycle(entry_with(i).batch);
  EXPECT_NE(buffer.acquire()->epoch, 0);
  EXPECT_EQ(buffer.acquire()->epoch, 0);
  EXPECT_EQ(buffer.acquire()->epoch, 0);  // a new one
}

TEST(ReorderBuffer, RejectsNumbersThatAreNotInFlight) {
  ReorderBuffer buffer(2);
  EXPECT_THROW(buffer.put(0, entry_with(0)), BugError);
  buffer.issue();
  buffer.put(0, entry_with(0));
  EXPECT_THROW(buffer.put(0, entry_with(0)), BugError);
  buffer.clear();
  EXPECT_THROW(buffer.put(0, entry_with(0)), BugError);
  EXPECT_THROW(buffer.take(), BugError);
}

}  // namespace
}  // namespace myxtts::data
