#include "step/arena_plan.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace myxtts::step {
namespace {

std::size_t rounded(std::size_t bytes) {
  return (bytes + kArenaAlignment - 1) / kArenaAlignment * kArenaAlignment;
}

bool overlap_in_time(const Request& a, const Request& b) {
  return a.allocated_at < *b.freed_at && b.allocated_at < *a.freed_at;
}

struct Placement {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint32_t index = 0;
};

// Returns the lowest offset with `bytes` free bytes during the lifetime of `request`. `placed` is
// sorted by `begin`.
std::size_t lowest_offset(const Request& request,
                          std::size_t bytes,
                          std::span<const Request> requests,
                          const std::vector<Placement>& placed) {
  std::size_t offset = 0;
  for (const Placement& other : placed) {
    if (other.begin >= offset + bytes) break;
    if (other.end > offset && overlap_in_time(request, requests[other.index])) offset = other.end;
  }
  return offset;
}

// Finds the most recent earlier slots that overlap each slot in memory. Slots below those are the
// predecessors of the predecessors.
void find_predecessors(ArenaPlan& plan) {
  std::map<std::size_t, std::pair<std::size_t, std::uint32_t>> top;  // begin -> end, slot
  const auto split_at = [&top](std::size_t offset) {
    auto next = top.lower_bound(offset);
    if (next != top.begin()) {
      const auto before = std::prev(next);
      if (before->second.first > offset) {
        top.emplace_hint(next, offset, before->second);
        before->second.first = offset;
      }
    }
  };
  for (std::uint32_t i = 0; i < plan.slots.size(); ++i) {
    ArenaPlan::Slot& slot = plan.slots[i];
    if (!slot.offset) continue;
    const std::size_t begin = *slot.offset;
    const std::size_t end = begin + rounded(slot.bytes);
    split_at(begin);
    split_at(end);
    const auto first = top.lower_bound(begin);
    const auto last = top.lower_bound(end);
    for (auto it = first; it != last; ++it)
      slot.predecessors.push_back(it->second.second);
    std::ranges::sort(slot.predecessors);
    slot.predecessors.erase(std::unique(slot.predecessors.begin(), slot.predecessors.end()),
                            slot.predecessors.end());
    top.erase(first, last);
    top.emplace(begin, std::pair{end, i});
  }
}

}  // namespace

ArenaPlan pack(std::span<const Request> requests) {
  ArenaPlan plan;
  plan.slots.resize(requests.size());
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    plan.slots[i].bytes = requests[i].bytes;
    if (requests[i].freed_at) order.push_back(i);
  }
  std::ranges::stable_sort(order,
                           [&](auto a, auto b) { return requests[a].bytes > requests[b].bytes; });

  std::vector<Placement> placed;
  for (const std::uint32_t i : order) {
    const std::size_t bytes = rounded(requests[i].bytes);
    const std::size_t begin = lowest_offset(requests[i], bytes, requests, placed);
    const auto position = std::ranges::upper_bound(placed, begin, {}, &Placement::begin);
    placed.insert(position, {.begin = begin, .end = begin + bytes, .index = i});
    plan.slots[i].offset = begin;
    plan.bytes = std::max(plan.bytes, begin + bytes);
  }
  find_predecessors(plan);
  return plan;
}

std::size_t peak_bytes(std::span<const Request> requests) {
  std::vector<std::pair<std::int64_t, std::int64_t>> changes;
  for (const Request& request : requests) {
    const auto bytes = static_cast<std::int64_t>(rounded(request.bytes));
    changes.emplace_back(request.allocated_at, bytes);
    if (request.freed_at) changes.emplace_back(*request.freed_at, -bytes);
  }
  std::ranges::sort(changes);
  std::int64_t bytes = 0;
  std::int64_t peak = 0;
  for (const auto& [time, change] : changes)
    peak = std::max(peak, bytes += change);
  return static_cast<std::size_t>(peak);
}

}  // namespace myxtts::step
