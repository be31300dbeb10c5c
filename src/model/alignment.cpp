#include "model/alignment.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/error.h"

namespace myxtts::model {
namespace {

void check(std::int64_t num_symbols, std::int64_t num_frames) {
  invariant(num_symbols >= 1 && num_symbols <= num_frames,
            fmt::format("{} symbols cannot be aligned to {} frames", num_symbols, num_frames));
}

}  // namespace

std::vector<std::int64_t> reference_alignment(std::span<const float> scores,
                                              std::int64_t num_symbols,
                                              std::int64_t num_frames,
                                              std::int64_t stride) {
  check(num_symbols, num_frames);
  constexpr double kUnreachable = -std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> best(index_of(num_frames),
                                        std::vector<double>(index_of(num_symbols), kUnreachable));
  for (std::int64_t m = 0; m < num_frames; ++m) {
    for (std::int64_t t = 0; t < num_symbols && t <= m; ++t) {
      const double here = scores[index_of(m * stride + t)];
      if (m == 0) {
        best[0][0] = here;
        continue;
      }
      const double stayed = best[index_of(m - 1)][index_of(t)];
      const double advanced = t > 0 ? best[index_of(m - 1)][index_of(t - 1)] : kUnreachable;
      best[index_of(m)][index_of(t)] = std::max(stayed, advanced) + here;
    }
  }

  std::vector<std::int64_t> durations(index_of(num_symbols), 0);
  std::int64_t symbol = num_symbols - 1;
  for (std::int64_t m = num_frames - 1; m >= 0; --m) {
    ++durations[index_of(symbol)];
    if (m == 0 || symbol == 0) continue;
    const std::vector<double>& before = best[index_of(m - 1)];
    if (before[index_of(symbol - 1)] >= before[index_of(symbol)]) --symbol;
  }
  return durations;
}

void align(std::span<const float> scores,
           std::int64_t num_symbols,
           std::int64_t num_frames,
           std::int64_t stride,
           AlignmentScratch& scratch,
           std::span<std::int64_t> durations) {
  check(num_symbols, num_frames);
  // Symbol t is at scratch.best[t + 1]. Entry 0 is an unreachable symbol before the first.
  constexpr float kUnreachable = -std::numeric_limits<float>::max() / 2;
  scratch.best.assign(index_of(num_symbols) + 1, kUnreachable);
  scratch.moved.resize(index_of(num_frames * num_symbols));
  float* best = scratch.best.data() + 1;
  best[0] = scores[0];
  for (std::int64_t m = 1; m < num_frames; ++m) {
    const float* here = scores.data() + m * stride;
    std::uint8_t* moved = scratch.moved.data() + m * num_symbols;
    // Descending, so that best[t - 1] still belongs to the previous frame.
    for (std::int64_t t = num_symbols - 1; t >= 0; --t) {
      const float stayed = best[t];
      const float advanced = best[t - 1];
      moved[t] = advanced >= stayed ? 1 : 0;
      best[t] = std::max(stayed, advanced) + here[t];
    }
  }

  std::fill_n(durations.begin(), num_symbols, 0);
  std::int64_t symbol = num_symbols - 1;
  for (std::int64_t m = num_frames - 1; m >= 0; --m) {
    ++durations[index_of(symbol)];
    if (m > 0 && symbol > 0 && scratch.moved[index_of(m * num_symbols + symbol)] != 0) --symbol;
  }
}

}  // namespace myxtts::model
