// Measures long silences in a recording.
#pragma once

#include <span>

namespace myxtts::audio {

// Minimum length in seconds of a silence that counts as long.
inline constexpr double kLongSilenceS = 0.5;

// Silence statistics of a recording.
struct Silences {
  double longest_s = 0.0;
  double long_s = 0.0;  // total of all silences of kLongSilenceS and longer
};

// Measures runs of 10 ms windows that are at least `top_db` below the loudest window, anywhere in
// the samples.
Silences silences_in(std::span<const float> samples, int sample_rate, double top_db);

}  // namespace myxtts::audio
