#include "step/step_memory.h"

#include <cstdlib>
#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::step {
namespace {

int on_heap = 0;  // heap blocks in use

void* from_heap(std::size_t bytes) {
  ++on_heap;
  return std::malloc(bytes);
}

void to_heap(void* pointer) {
  --on_heap;
  std::free(pointer);
}

class StepMemoryTest : public testing::Test {
 protected:
  StepMemoryTest() { on_heap = 0; }

  ArenaPlan prepared(const std::function<void()>& body) {
    ArenaPlan plan = pack(memory_.record(body));
    memory_.reserve(plan.bytes);
    return plan;
  }

  // Two concurrent requests, then one that can reuse their memory.
  void phase(std::size_t last_bytes = 300) {
    void* a = memory_.allocate(100);
    void* b = memory_.allocate(200);
    std::memset(a, 1, 100);
    std::memset(b, 2, 200);
    memory_.release(a);
    memory_.release(b);
    void* c = memory_.allocate(last_bytes);
    std::memset(c, 3, last_bytes);
    memory_.release(c);
  }

  StepMemory memory_{{.allocate = from_heap, .release = to_heap}};
};

TEST_F(StepMemoryTest, RecordsTheRequestsOfAPhase) {
  void* before = memory_.allocate(7);
  void* kept = nullptr;

  const std::vector<Request> requests = memory_.record([&] {
    void* a = memory_.allocate(100);
    kept = memory_.allocate(50);
    memory_.release(before);  // belongs to no phase
    memory_.release(a);
  });

  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[0].bytes, 100U);
  EXPECT_EQ(requests[0].allocated_at, 0);
  EXPECT_EQ(requests[0].freed_at, 2);
  EXPECT_EQ(requests[1].bytes, 50U);
  EXPECT_FALSE(requests[1].freed_at);
  memory_.release(kept);
  EXPECT_EQ(on_heap, 0);
}

TEST_F(StepMemoryTest, ReplaysWithoutHeapAllocations) {
  const ArenaPlan plan = prepared([&] { phase(); });
  int heap_blocks = -1;

  const ReplayOutcome outcome = memory_.replay(plan, [&] {
    phase();
    heap_blocks = on_heap;
  });

  EXPECT_EQ(outcome.deviation, "");
  EXPECT_EQ(outcome.requests, 3U);
  EXPECT_EQ(outcome.from_heap, 0U);
  EXPECT_EQ(heap_blocks, 0);
  EXPECT_LE(plan.bytes, 384U);
}

TEST_F(StepMemoryTest, AnotherSizeUsesTheHeapAndIsReported) {
  const ArenaPlan plan = prepared([&] { phase(); });

  const ReplayOutcome outcome = memory_.replay(plan, [&] { phase(301); });

  EXPECT_EQ(outcome.deviation, "request 3 300 -> 301 bytes");
  EXPECT_EQ(outcome.from_heap, 1U);
  EXPECT_EQ(on_heap, 0);
  EXPECT_FALSE(
      memory_.replay(plan, [&] { phase(); }).deviated());  // the next replay does not deviate
}

TEST_F(StepMemoryTest, AnExtraRequestUsesTheHeapAndIsReported) {
  const ArenaPlan plan = prepared([&] { phase(); });

  const ReplayOutcome outcome = memory_.replay(plan, [&] {
    phase();
    memory_.release(memory_.allocate(8));
  });

  EXPECT_EQ(outcome.deviation, "request 4 of 8 bytes, 3 were recorded");
}

TEST_F(StepMemoryTest, FewerRequestsAreNoDeviation) {
  const ArenaPlan plan = prepared([&] { phase(); });

  EXPECT_FALSE(memory_.replay(plan, [&] { memory_.release(memory_.allocate(100)); }).deviated());
}

// The sizes are as recorded, but one allocation lives longer.
TEST_F(StepMemoryTest, MemoryInUseIsNotReused) {
  const ArenaPlan plan = prepared([&] { phase(); });
  void* kept = nullptr;

  const ReplayOutcome outcome = memory_.replay(plan, [&] {
    kept = memory_.allocate(100);
    void* b = memory_.allocate(200);
    std::memset(kept, 1, 100);
    memory_.release(b);
    void* c = memory_.allocate(300);
    std::memset(c, 3, 300);
    memory_.release(c);
  });

  EXPECT_EQ(outcome.deviation, "request 1 is still in use at request 3");
  EXPECT_EQ(static_cast<const char*>(kept)[99], 1);
  // Later phases do not use the arena until the memory is released.
  EXPECT_EQ(memory_.replay(plan, [&] { phase(); }).deviation,
            "memory of an earlier step is still in use");
  EXPECT_EQ(static_cast<const char*>(kept)[99], 1);
  memory_.release(kept);
  EXPECT_FALSE(memory_.replay(plan, [&] { phase(); }).deviated());
}

TEST_F(StepMemoryTest, RequestsThatOutliveThePhaseUseTheHeap) {
  void* kept = nullptr;
  const auto body = [&] {
    kept = memory_.allocate(64);
    phase();
  };
  const ArenaPlan plan = prepared(body);
  memory_.release(kept);

  const ReplayOutcome outcome = memory_.replay(plan, body);

  EXPECT_FALSE(outcome.deviated());
  EXPECT_EQ(outcome.from_heap, 1U);
  EXPECT_EQ(on_heap, 1);
  memory_.release(kept);
}

TEST_F(StepMemoryTest, AnExceptionEndsThePhase) {
  const ArenaPlan plan = prepared([&] { phase(); });

  EXPECT_THROW(memory_.replay(plan,
                              [&] {
                                memory_.release(memory_.allocate(100));
                                throw UserError("disk on fire");
                              }),
               UserError);

  memory_.release(memory_.allocate(100));
  EXPECT_FALSE(memory_.replay(plan, [&] { phase(); }).deviated());
}

TEST_F(StepMemoryTest, OtherThreadsUseTheHeap) {
  const ArenaPlan plan = prepared([&] { phase(); });

  const ReplayOutcome outcome = memory_.replay(plan, [&] {
    std::thread other([&] { memory_.release(memory_.allocate(12345)); });
    other.join();
    void* a = memory_.allocate(100);
    std::thread returning([&] { memory_.release(a); });
    returning.join();
  });

  EXPECT_EQ(outcome.requests, 1U);
  EXPECT_FALSE(outcome.deviated());
}

TEST_F(StepMemoryTest, EmptyRequestsReturnNull) {
  const ArenaPlan plan = prepared([&] { phase(); });
  EXPECT_EQ(memory_.allocate(0), nullptr);
  memory_.release(nullptr);

  EXPECT_FALSE(memory_.replay(plan, [&] { memory_.release(memory_.allocate(0)); }).deviated());
}

TEST_F(StepMemoryTest, ArenaGrowsToTheLargestPlan) {
  const ArenaPlan small = prepared([&] { phase(); });
  const ArenaPlan large = pack(memory_.record([&] { memory_.release(memory_.allocate(5 << 20)); }));
  EXPECT_THROW(memory_.replay(large, [] {}), BugError);

  memory_.reserve(large.bytes);

  EXPECT_GE(memory_.reserved_bytes(), large.bytes);
  EXPECT_EQ(memory_.replay(large, [&] { memory_.release(memory_.allocate(5 << 20)); }).from_heap,
            0U);
  EXPECT_EQ(memory_.replay(small, [&] { phase(); }).from_heap, 0U);
}

TEST_F(StepMemoryTest, PhasesDoNotNest) {
  const ArenaPlan plan = prepared([&] { phase(); });
  EXPECT_THROW(memory_.record([&] { memory_.replay(plan, [] {}); }), BugError);
}

}  // namespace
}  // namespace myxtts::step
