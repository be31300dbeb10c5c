// K-weighting filters of fast_loudness(), compiled per vector instruction set, dispatched at run
// time.
#pragma once

#include <cstddef>
#include <span>

namespace myxtts::audio {

// y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2]
struct Biquad {
  double b0 = 1.0;
  double b1 = 0.0;
  double b2 = 0.0;
  double a1 = 0.0;
  double a2 = 0.0;
};

// The K weighting of ITU-R BS.1770 at one sample rate: a high shelf, then a high-pass.
struct KWeighting {
  Biquad shelf;
  Biquad high_pass;
};

// Computes the sum of squares of the weighted samples of each block.
// samples   at least energies.size() blocks
// block     samples per block
// warm_up   blocks after which the filter state no longer depends on earlier samples
void weighted_energies(const KWeighting& weighting,
                       std::span<const float> samples,
                       std::size_t block,
                       std::size_t warm_up,
                       std::span<double> energies);

}  // namespace myxtts::audio
