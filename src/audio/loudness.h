// Measures loudness and peak level; applies a gain.
#pragma once

#include <optional>
#include <span>

namespace myxtts::audio {

// Peak magnitude that prepare() scales louder audio down to.
inline constexpr float kPeakLimit = 0.99F;

// Integrated loudness in LUFS (EBU R 128). Empty for less than 0.4 s of audio, or if all of it is
// below the gate at -70 LUFS.
std::optional<double> measure_loudness(std::span<const float> samples, int sample_rate);

// Largest sample magnitude; 0 for no samples.
float peak_of(std::span<const float> samples);

// Magnitude in dBFS (20 log10); minus infinity for 0.
double to_dbfs(double magnitude);

// Multiplies every sample by `gain`.
void apply_gain(std::span<float> samples, double gain);

}  // namespace myxtts::audio
