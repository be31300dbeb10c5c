#include "audio/fast_loudness.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "audio/fast_loudness_kernel.h"

namespace myxtts::audio {
namespace {

// ITU-R BS.1770-4, annex 1: two gates in LUFS, and an offset. With the offset, a full-scale 997 Hz
// sine in one channel measures -3.01 LUFS.
constexpr double kAbsoluteGate = -70.0;
constexpr double kRelativeGate = -10.0;
constexpr double kOffset = -0.691;
constexpr std::size_t kBlocksPerWindow = 4;  // 100 ms each; gating windows overlap by three
// The high-pass is critically damped at 38 Hz: after 0.2 s its state has decayed below 1e-19.
constexpr std::size_t kWarmUpBlocks = 2;

// The standard gives the filters at 48 kHz. These are their analogue prototypes (as found by
// Brecht De Man, "Evaluation of implementations of the EBU R128 loudness measurement", AES 2018,
// and used by libebur128), mapped to another rate by the bilinear transform.
KWeighting k_weighting(int sample_rate) {
  const auto warped = [sample_rate](double frequency) {
    return std::tan(std::numbers::pi * frequency / sample_rate);
  };
  KWeighting weighting;
  {
    constexpr double kGainDb = 3.999843853973347;
    constexpr double kQ = 0.7071752369554196;
    const double k = warped(1681.974450955533);
    const double high = std::pow(10.0, kGainDb / 20.0);
    const double band = std::pow(high, 0.4996667741545416);
    const double a0 = 1.0 + k / kQ + k * k;
    weighting.shelf = {.b0 = (high + band * k / kQ + k * k) / a0,
                       .b1 = 2.0 * (k * k - high) / a0,
                       .b2 = (high - band * k / kQ + k * k) / a0,
                       .a1 = 2.0 * (k * k - 1.0) / a0,
                       .a2 = (1.0 - k / kQ + k * k) / a0};
  }
  constexpr double kQ = 0.5003270373238773;
  const double k = warped(38.13547087602444);
  const double a0 = 1.0 + k / kQ + k * k;
  weighting.high_pass = {.b0 = 1.0,
                         .b1 = -2.0,
                         .b2 = 1.0,
                         .a1 = 2.0 * (k * k - 1.0) / a0,
                         .a2 = (1.0 - k / kQ + k * k) / a0};
  return weighting;
}

double energy_of(double lufs) {
  return std::pow(10.0, (lufs - kOffset) / 10.0);
}

// Mean energy of the gating windows that reach the threshold; 0 if none does.
double mean_above(std::span<const double> energies, std::size_t block, double threshold) {
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t i = 0; i + kBlocksPerWindow <= energies.size(); ++i) {
    const double energy = (energies[i] + energies[i + 1] + energies[i + 2] + energies[i + 3]) /
                          static_cast<double>(kBlocksPerWindow * block);
    if (energy < threshold) continue;
    sum += energy;
    ++count;
  }
  return count == 0 ? 0.0 : sum / static_cast<double>(count);
}

}  // namespace

std::optional<double> fast_loudness(std::span<const float> samples,
                                    int sample_rate,
                                    LoudnessScratch& scratch) {
  const auto block = static_cast<std::size_t>((sample_rate + 5) / 10);
  scratch.energies.assign(samples.size() / block, 0.0);
  if (scratch.energies.size() < kBlocksPerWindow) return std::nullopt;
  weighted_energies(k_weighting(sample_rate), samples, block, kWarmUpBlocks, scratch.energies);

  const double absolute = energy_of(kAbsoluteGate);
  const double ungated = mean_above(scratch.energies, block, absolute);
  if (!(ungated > 0.0)) return std::nullopt;
  const double relative = ungated * std::pow(10.0, kRelativeGate / 10.0);
  const double gated = mean_above(scratch.energies, block, std::max(absolute, relative));
  return 10.0 * std::log10(gated) + kOffset;
}

}  // namespace myxtts::audio
