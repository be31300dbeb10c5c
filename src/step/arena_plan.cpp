#include "step/arena_plan.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace xtts::step {
namespace {

std::size_t rounded(std::size_t bytes) {
  return (bytes + kArenaAlignment - 1) / kArenaAlignment * kArenaAlignment;
}

bool meet(const Request& a, const Request& b) {
  return a.born < *b.died && b.born < *a.died;
}

struct Placed {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint32_t index = 0;
};

// The lowest gap of `bytes` between those that are alive with `request`. `placed` ascends in begin.
std::size_t lowest_place(const Request& request,
                         std::size_t bytes,
                         std::span<const Request> requests,
                         const std::vector<Placed>& placed) {
  std::size_t place = 0;
  for (const Placed& other : placed) {
    if (other.begin >= place + bytes) break;
    if (other.end > place && meet(request, requests[other.index])) place = other.end;
  }
  return place;
}

// For every slot, in the order of the requests: who lay there last. Whoever lay below these was
// looked for when they came.
void find_below(ArenaPlan& plan) {
  std::map<std::size_t, std::pair<std::size_t, std::uint32_t>> top;  // begin -> end, slot
  const auto split_at = [&top](std::size_t place) {
    auto next = top.lower_bound(place);
    if (next != top.begin()) {
      const auto before = std::prev(next);
      if (before->second.first > place) {
        top.emplace_hint(next, place, before->second);
        before->second.first = place;
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
      slot.below.push_back(it->second.second);
    std::ranges::sort(slot.below);
    slot.below.erase(std::unique(slot.below.begin(), slot.below.end()), slot.below.end());
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
    if (requests[i].died) order.push_back(i);
  }
  std::ranges::stable_sort(order,
                           [&](auto a, auto b) { return requests[a].bytes > requests[b].bytes; });

  std::vector<Placed> placed;
  for (const std::uint32_t i : order) {
    const std::size_t bytes = rounded(requests[i].bytes);
    const std::size_t begin = lowest_place(requests[i], bytes, requests, placed);
    const auto place = std::ranges::upper_bound(placed, begin, {}, &Placed::begin);
    placed.insert(place, {.begin = begin, .end = begin + bytes, .index = i});
    plan.slots[i].offset = begin;
    plan.bytes = std::max(plan.bytes, begin + bytes);
  }
  find_below(plan);
  return plan;
}

std::size_t peak_bytes(std::span<const Request> requests) {
  std::vector<std::pair<std::int64_t, std::int64_t>> changes;
  for (const Request& request : requests) {
    const auto bytes = static_cast<std::int64_t>(rounded(request.bytes));
    changes.emplace_back(request.born, bytes);
    if (request.died) changes.emplace_back(*request.died, -bytes);
  }
  std::ranges::sort(changes);
  std::int64_t bytes = 0;
  std::int64_t most = 0;
  for (const auto& [time, change] : changes)
    most = std::max(most, bytes += change);
  return static_cast<std::size_t>(most);
}

}  // namespace xtts::step
