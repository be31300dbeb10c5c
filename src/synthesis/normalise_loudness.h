// Normalises the loudness of synthesised audio.
#pragma once

#include <optional>
#include <span>

namespace myxtts::synthesis {

// The largest sample magnitude of synthesised audio: -1 dBFS.
inline constexpr float kMaxPeak = 0.8912509F;

// Normalises the integrated loudness in LUFS (EBU R 128) with one gain for all samples and returns
// the gain; without a target the gain is 1. If a sample would exceed kMaxPeak, the gain is reduced
// so that the peak equals kMaxPeak: the result is then quieter than the target, but not clipped.
// Peaks of speech are at most 22 dB above its loudness, so -23 LUFS can be reached.
//
// Audio shorter than 0.4 s, which the standard does not measure, is measured as if it were
// repeated. Audio below -70 LUFS, which cannot be measured, is not changed. Samples must be finite.
double normalise_loudness(std::span<float> samples,
                          int sample_rate,
                          std::optional<double> target_lufs);

}  // namespace myxtts::synthesis
