// Vectorised measurement of integrated loudness.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace myxtts::audio {

// Reusable working memory of fast_loudness().
struct LoudnessScratch {
  std::vector<double> energies;  // one per 100 ms block
};

// Integrated loudness in LUFS, within 1e-6 LU of measure_loudness() and several times faster:
// filters eight parts of the recording at once with the vector instructions of the processor.
// Thread-safe.
std::optional<double> fast_loudness(std::span<const float> samples,
                                    int sample_rate,
                                    LoudnessScratch& scratch);

}  // namespace myxtts::audio
