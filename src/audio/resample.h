#pragma once

#include <span>
#include <vector>

namespace xtts::audio {

// Band-limited change of rate (soxr, very high quality), the same on every run.
//
// Gives round(samples.size() * to_rate / from_rate) samples; equal rates give a copy. Rates are in
// Hz and positive. Filters overshoot: the result may exceed 1.0 a little.
std::vector<float> resample(std::span<const float> samples, int from_rate, int to_rate);
// The same into memory that is used again. soxr's own is not: its soxr_clear() frees and makes anew
// all that a resampler has.
void resample(std::span<const float> samples,
              int from_rate,
              int to_rate,
              std::vector<float>& resampled);

}  // namespace xtts::audio
