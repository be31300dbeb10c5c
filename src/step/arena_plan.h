#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace xtts::step {

// One request for memory of a recorded phase. Times count the requests and returns of the phase.
struct Request {
  std::size_t bytes = 0;
  std::int64_t born = 0;
  std::optional<std::int64_t> died;  // absent: still in use when the phase ended
};

// Where the requests of a phase lie when it is run again: each has the place of its own turn.
struct ArenaPlan {
  struct Slot {
    std::size_t bytes = 0;              // as requested
    std::optional<std::size_t> offset;  // absent: what outlives the phase comes from the heap
    std::vector<std::uint32_t> below;   // earlier slots whose place this one takes over
  };
  std::vector<Slot> slots;  // in the order of the requests
  std::size_t bytes = 0;    // of the arena
};

inline constexpr std::size_t kArenaAlignment = 64;

// Packs the requests so that no two that are in use at the same time share a byte: the largest
// first, each at the lowest place that is free for its whole life. A pure function.
ArenaPlan pack(std::span<const Request> requests);

// The most bytes in use at one time: no arena can be smaller.
std::size_t peak_bytes(std::span<const Request> requests);

}  // namespace xtts::step
