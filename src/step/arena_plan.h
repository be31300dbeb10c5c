// Plans the arena of a prepared step: packs recorded memory requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace myxtts::step {

// One allocation of a recorded phase. Times count the allocations and releases of the phase.
struct Request {
  std::size_t bytes = 0;
  std::int64_t allocated_at = 0;
  std::optional<std::int64_t> freed_at;  // absent: still in use at the end of the phase
};

// Arena offsets of the allocations of a phase for its replays, by the order of allocation.
struct ArenaPlan {
  struct Slot {
    std::size_t bytes = 0;              // as requested
    std::optional<std::size_t> offset;  // absent: outlives the phase, so it comes from the heap
    std::vector<std::uint32_t> predecessors;  // earlier slots whose memory this one reuses
  };
  std::vector<Slot> slots;  // in the order of the requests
  std::size_t bytes = 0;    // size of the arena
};

inline constexpr std::size_t kArenaAlignment = 64;

// Packs the requests so that no two that are in use at the same time overlap: the largest first,
// each at the lowest offset that is free during its lifetime. A pure function.
ArenaPlan pack(std::span<const Request> requests);

// Returns the peak number of bytes in use, a lower bound of the arena size.
std::size_t peak_bytes(std::span<const Request> requests);

}  // namespace myxtts::step
