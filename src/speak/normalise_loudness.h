#pragma once

#include <optional>
#include <span>

namespace xtts::speak {

// The largest magnitude of a sample that is spoken: -1 dBFS.
inline constexpr float kSpokenPeak = 0.8912509F;

// Brings a sound to an integrated loudness in LUFS (EBU R 128) by one gain, so that nothing but its
// level changes; without a target the gain is 1. Where a sample would then be beyond kSpokenPeak,
// the gain is the one that takes it there: the sound stays quieter than was asked for rather than
// being bent. Speech has its peaks at most 22 dB above its loudness, so -23 LUFS is within reach.
//
// A sound of less than 0.4 s, which the standard does not measure, is measured as if it were said
// again and again. What is too quiet to be measured (below -70 LUFS) is left as it is. Samples are
// finite. Returns the gain.
double normalise_loudness(std::span<float> samples,
                          int sample_rate,
                          std::optional<double> target_lufs);

}  // namespace xtts::speak
