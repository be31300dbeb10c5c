#pragma once

#include <span>
#include <vector>

namespace myxtts::audio {

// Band-limited resampling (soxr, very high quality), deterministic.
//
// Returns round(samples.size() * to_rate / from_rate) samples; equal rates give a copy. Rates are
// in Hz and positive. The filter overshoots: the result may slightly exceed 1.0.
std::vector<float> resample(std::span<const float> samples, int from_rate, int to_rate);
// Resamples into reusable memory. The resampler itself is not reused, because soxr_clear()
// reallocates all of its memory.
void resample(std::span<const float> samples,
              int from_rate,
              int to_rate,
              std::vector<float>& resampled);

}  // namespace myxtts::audio
