#pragma once

#include <optional>
#include <span>

namespace xtts::audio {

// The largest magnitude of a sample that prepare() lets pass.
inline constexpr float kPeakLimit = 0.99F;

// Integrated loudness in LUFS (EBU R 128). Absent when there is nothing to measure: less than
// 0.4 s of sound, or all of it below the gate at -70 LUFS.
std::optional<double> measure_loudness(std::span<const float> samples, int sample_rate);

// Largest magnitude, 0 for no samples.
float peak_of(std::span<const float> samples);

// 20 log10 of a magnitude; minus infinity for 0.
double to_dbfs(double magnitude);

// Multiplies every sample.
void apply_gain(std::span<float> samples, double gain);

}  // namespace xtts::audio
