#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "pipeline/signature.h"

namespace xtts::pipeline {

// T and M are multiples of this: eight floats are a vector register of AVX2, and the matrix units
// of GPUs want multiples of eight, so that no kernel has a ragged end in its inner loop.
inline constexpr std::int64_t kSizeMultiple = 8;

// `size` itself or the next multiple above it; at least one multiple.
std::int64_t rounded_size(std::int64_t size);

// Utterances of nearly equal mel length.
struct LengthGroup {
  std::int64_t mel = 0;  // M of a signature that ends with this group
  std::int64_t count = 0;

  bool operator==(const LengthGroup&) const = default;
};

// The utterances grouped by mel length, shortest first, in at most `max_groups` groups: the places
// where a plan may be cut. Their M ascends strictly.
std::vector<LengthGroup> group_by_mel(std::span<const Lengths> lengths,
                                      std::size_t max_groups = 400);

// The best cuts of the groups into k parts for k = 1 .. max_parts: element k - 1 holds the M of
// each part, ascending, such that the sum of count x M over the parts is smallest and every part
// but that of k = 1 has at least `least_count(M)` utterances. Ends at the first k that cannot be
// had. least_count must not grow with M.
std::vector<std::vector<std::int64_t>> best_cuts(
    std::span<const LengthGroup> groups,
    int max_parts,
    const std::function<std::int64_t(std::int64_t mel)>& least_count);

}  // namespace xtts::pipeline
