// Finds the cuts of sorted mel lengths into buckets that minimise padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "data/signature.h"

namespace myxtts::data {

// T and M are multiples of this. Eight floats fill an AVX2 register, and matrix units of GPUs need
// multiples of eight, so that inner loops have no remainder.
inline constexpr std::int64_t kSizeMultiple = 8;

// Rounds `size` up to a multiple of kSizeMultiple, at least one.
std::int64_t rounded_size(std::int64_t size);

// A group of utterances with nearly equal mel lengths.
struct LengthGroup {
  std::int64_t mel = 0;  // M of a signature that ends with this group
  std::int64_t count = 0;

  bool operator==(const LengthGroup&) const = default;
};

// Groups the utterances by mel length, shortest first, into at most `max_groups` groups with
// strictly ascending M. A plan may be cut between groups.
std::vector<LengthGroup> group_by_mel(std::span<const Lengths> lengths,
                                      std::size_t max_groups = 400);

// Returns the best cuts of the groups into k parts for k = 1 .. max_parts. Element k - 1 holds the
// M of each part, ascending. The sum of count x M over the parts is minimal, and for k > 1 every
// part has at least `min_count(M)` utterances. Ends at the first impossible k. min_count must not
// grow with M.
std::vector<std::vector<std::int64_t>> best_cuts(
    std::span<const LengthGroup> groups,
    int max_parts,
    const std::function<std::int64_t(std::int64_t mel)>& min_count);

}  // namespace myxtts::data
