#include "step/arena_plan.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/scale.h"

namespace myxtts::step {
namespace {

Request request(std::size_t bytes, std::int64_t allocated_at, std::int64_t freed_at) {
  return {.bytes = bytes, .allocated_at = allocated_at, .freed_at = freed_at};
}

// Returns requests like those of a step: various sizes, some of which outlive it.
std::vector<Request> random_requests(std::size_t count, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<Request> requests;
  std::vector<std::size_t> alive;
  std::int64_t time = 0;
  while (requests.size() < count) {
    if (!alive.empty() && random.below(100) < 48) {
      const std::size_t which = random.below(alive.size());
      requests[alive[which]].freed_at = time++;
      alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(which));
    } else {
      alive.push_back(requests.size());
      const std::size_t bytes = 1 + random.below(std::uint64_t{1} << random.below(20));
      requests.push_back({.bytes = bytes, .allocated_at = time++, .freed_at = {}});
    }
  }
  for (const std::size_t index : alive) {
    if (random.below(10) > 0) requests[index].freed_at = time++;
  }
  return requests;
}

bool alive_together(const Request& a, const Request& b) {
  return a.allocated_at < *b.freed_at && b.allocated_at < *a.freed_at;
}

bool overlap(const ArenaPlan::Slot& a, const ArenaPlan::Slot& b) {
  return *a.offset < *b.offset + b.bytes && *b.offset < *a.offset + a.bytes;
}

TEST(Pack, ReusesFreedMemory) {
  const std::vector<Request> requests = {request(100, 0, 1), request(100, 2, 3)};

  const ArenaPlan plan = pack(requests);

  EXPECT_EQ(plan.bytes, 128U);  // multiple of 64 bytes
  EXPECT_EQ(plan.slots[0].offset, 0U);
  EXPECT_EQ(plan.slots[1].offset, 0U);
  EXPECT_EQ(plan.slots[1].predecessors, std::vector<std::uint32_t>{0});
}

TEST(Pack, RequestsThatOutliveThePhaseHaveNoOffset) {
  const std::vector<Request> requests = {{.bytes = 64, .allocated_at = 0, .freed_at = {}},
                                         request(64, 1, 2)};

  const ArenaPlan plan = pack(requests);

  EXPECT_FALSE(plan.slots[0].offset);
  EXPECT_EQ(plan.slots[1].offset, 0U);
  EXPECT_EQ(plan.bytes, 64U);
}

TEST(Pack, NoRequestsNeedNoMemory) {
  EXPECT_EQ(pack({}).bytes, 0U);
  EXPECT_EQ(peak_bytes({}), 0U);
}

TEST(Pack, ConcurrentRequestsDoNotOverlap) {
  for (int seed = 1; seed <= 20 * support::test_scale(); ++seed) {
    const std::vector<Request> requests = random_requests(300, static_cast<std::uint64_t>(seed));
    const ArenaPlan plan = pack(requests);
    ASSERT_EQ(plan.slots.size(), requests.size());
    std::size_t end = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      ASSERT_EQ(plan.slots[i].bytes, requests[i].bytes);
      ASSERT_EQ(plan.slots[i].offset.has_value(), requests[i].freed_at.has_value());
      if (!plan.slots[i].offset) continue;
      ASSERT_EQ(*plan.slots[i].offset % kArenaAlignment, 0U);
      end = std::max(end, *plan.slots[i].offset + requests[i].bytes);
      for (std::size_t j = 0; j < i; ++j) {
        if (plan.slots[j].offset && alive_together(requests[i], requests[j])) {
          ASSERT_FALSE(overlap(plan.slots[i], plan.slots[j])) << "seed " << seed;
        }
      }
    }
    EXPECT_LE(end, plan.bytes);
    EXPECT_LT(plan.bytes - end, kArenaAlignment);
  }
}

// An earlier slot that overlaps in memory is a direct or an indirect predecessor.
TEST(Pack, FindsThePredecessorsOfASlot) {
  const std::vector<Request> requests = random_requests(300, 7);
  const ArenaPlan plan = pack(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!plan.slots[i].offset) continue;
    for (std::size_t j = 0; j < i; ++j) {
      if (!plan.slots[j].offset || !overlap(plan.slots[i], plan.slots[j])) continue;
      const auto& predecessors = plan.slots[i].predecessors;
      const bool direct = std::ranges::find(predecessors, j) != predecessors.end();
      const bool covered = std::ranges::any_of(predecessors, [&](std::uint32_t between) {
        return between > j && overlap(plan.slots[between], plan.slots[j]);
      });
      EXPECT_TRUE(direct || covered) << j << " is no predecessor of " << i;
    }
  }
}

TEST(Pack, SizeIsCloseToThePeak) {
  double worst = 0.0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<Request> requests = random_requests(400, seed);
    std::erase_if(requests, [](const Request& one) { return !one.freed_at; });
    const double share =
        static_cast<double>(pack(requests).bytes) / static_cast<double>(peak_bytes(requests));
    EXPECT_GE(share, 1.0);
    worst = std::max(worst, share);
  }
  EXPECT_LE(worst, 1.15);
}

}  // namespace
}  // namespace myxtts::step
