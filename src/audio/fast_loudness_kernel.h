// The filters of the loudness, compiled for every vector instruction set and chosen at run time.
#pragma once

#include <cstddef>
#include <span>

namespace xtts::audio {

// y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2]
struct Biquad {
  double b0 = 1.0;
  double b1 = 0.0;
  double b2 = 0.0;
  double a1 = 0.0;
  double a2 = 0.0;
};

// The K weighting of ITU-R BS.1770 at one rate: the shelf of a head, then a high-pass.
struct KWeighting {
  Biquad shelf;
  Biquad high_pass;
};

// Sums of squares of the weighted samples, block after block.
// samples   at least energies.size() blocks
// block     samples of a block
// warm_up   blocks after which the filters have forgotten what was before
void weighted_energies(const KWeighting& weighting,
                       std::span<const float> samples,
                       std::size_t block,
                       std::size_t warm_up,
                       std::span<double> energies);

}  // namespace xtts::audio
