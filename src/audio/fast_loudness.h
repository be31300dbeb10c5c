#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace xtts::audio {

// Working memory of fast_loudness(), used again from call to call.
struct LoudnessScratch {
  std::vector<double> energies;  // of each 100 ms
};

// What measure_loudness() gives, to 1e-6 LU, in a fraction of its time: with the vector
// instructions of this processor, eight parts of the recording at once. Thread-safe.
std::optional<double> fast_loudness(std::span<const float> samples,
                                    int sample_rate,
                                    LoudnessScratch& scratch);

}  // namespace xtts::audio
