// A recursive filter depends on its previous output, so one recording cannot be vectorised along
// time. Eight parts of it are filtered side by side instead. Each part starts some warm-up blocks
// early, so that its filter state has converged at its first own block.

#include "audio/fast_loudness_kernel.h"

#include <algorithm>
#include <array>

// Processors with SSSE3 also have SSE4; arrays of vectors need a length known at compile time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#define HWY_TARGET_INCLUDE "audio/fast_loudness_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace myxtts::audio::HWY_NAMESPACE {
namespace {

namespace loud = hwy::HWY_NAMESPACE;

constexpr std::size_t kParts = 8;
constexpr std::size_t kPiece = 64;  // samples of each part transposed into columns at once
// Added to every sample. In silence the filter state decays to denormal numbers, which are about a
// hundred times slower; a constant prevents that, and the high-pass removes it.
constexpr double kTinyOffset = 1e-30;
constexpr loud::CappedTag<double, kParts> kPartTag;
using PartVector = loud::Vec<decltype(kPartTag)>;
constexpr std::size_t kPartLanes = loud::MaxLanes(kPartTag);
constexpr std::size_t kPartVectors = kParts / kPartLanes;

// One biquad for all parts, in transposed direct form II.
struct PartFilter {
  PartVector b0, b1, b2, a1, a2;
  std::array<PartVector, kPartVectors> s1, s2;

  explicit PartFilter(const Biquad& filter)
      : b0(loud::Set(kPartTag, filter.b0)),
        b1(loud::Set(kPartTag, filter.b1)),
        b2(loud::Set(kPartTag, filter.b2)),
        a1(loud::Set(kPartTag, filter.a1)),
        a2(loud::Set(kPartTag, filter.a2)) {
    s1.fill(loud::Zero(kPartTag));
    s2.fill(loud::Zero(kPartTag));
  }

  HWY_INLINE PartVector next(std::size_t i, PartVector x) {
    const PartVector y = loud::MulAdd(b0, x, s1[i]);
    s1[i] = loud::NegMulAdd(a1, y, loud::MulAdd(b1, x, s2[i]));
    s2[i] = loud::NegMulAdd(a2, y, loud::Mul(b2, x));
    return y;
  }
};

// Copies `count` samples of each part from its position; zeros outside the recording.
// columns  [count, kParts]
void parts_to_columns(std::span<const float> samples,
                      const std::array<std::ptrdiff_t, kParts>& places,
                      std::size_t count,
                      double* columns) {
  for (std::size_t part = 0; part < kParts; ++part) {
    const std::ptrdiff_t place = places[part];
    const bool is_inside =
        place >= 0 && place + static_cast<std::ptrdiff_t>(count) <= std::ssize(samples);
    for (std::size_t i = 0; i < count; ++i) {
      const std::ptrdiff_t at = place + static_cast<std::ptrdiff_t>(i);
      const bool is_inside_recording = is_inside || (at >= 0 && at < std::ssize(samples));
      columns[i * kParts + part] =
          kTinyOffset + (is_inside_recording ? samples[static_cast<std::size_t>(at)] : 0.0);
    }
  }
}

void weighted_energies_of(const KWeighting& weighting,
                          std::span<const float> samples,
                          std::size_t block,
                          std::size_t warm_up,
                          std::span<double> energies) {
  const std::size_t own = (energies.size() + kParts - 1) / kParts;  // blocks per part
  std::array<std::ptrdiff_t, kParts> places{};
  for (std::size_t part = 0; part < kParts; ++part) {
    places[part] =
        (static_cast<std::ptrdiff_t>(part * own) - static_cast<std::ptrdiff_t>(warm_up)) *
        static_cast<std::ptrdiff_t>(block);
  }
  PartFilter shelf(weighting.shelf);
  PartFilter high_pass(weighting.high_pass);
  HWY_ALIGN std::array<double, kPiece * kParts> columns;
  HWY_ALIGN std::array<double, kParts> sums;
  for (std::size_t b = 0; b < warm_up + own; ++b) {
    std::array<PartVector, kPartVectors> squares;
    squares.fill(loud::Zero(kPartTag));
    for (std::size_t done = 0; done < block; done += kPiece) {
      const std::size_t count = std::min(kPiece, block - done);
      parts_to_columns(samples, places, count, columns.data());
      for (std::ptrdiff_t& place : places)
        place += static_cast<std::ptrdiff_t>(count);
      for (std::size_t n = 0; n < count; ++n) {
        for (std::size_t i = 0; i < kPartVectors; ++i) {
          const PartVector x = loud::Load(kPartTag, &columns[n * kParts + i * kPartLanes]);
          const PartVector y = high_pass.next(i, shelf.next(i, x));
          squares[i] = loud::MulAdd(y, y, squares[i]);
        }
      }
    }
    if (b < warm_up) continue;
    for (std::size_t i = 0; i < kPartVectors; ++i)
      loud::Store(squares[i], kPartTag, &sums[i * kPartLanes]);
    for (std::size_t part = 0; part < kParts; ++part) {
      const std::size_t index = part * own + b - warm_up;
      if (index < energies.size()) energies[index] = sums[part];
    }
  }
}

}  // namespace
}  // namespace myxtts::audio::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace myxtts::audio {

HWY_EXPORT(weighted_energies_of);

void weighted_energies(const KWeighting& weighting,
                       std::span<const float> samples,
                       std::size_t block,
                       std::size_t warm_up,
                       std::span<double> energies) {
  HWY_DYNAMIC_DISPATCH(weighted_energies_of)(weighting, samples, block, warm_up, energies);
}

}  // namespace myxtts::audio
#endif
