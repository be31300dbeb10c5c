#pragma once

#include <span>

namespace xtts::audio {

// Seconds of this length and more are a pause that no sentence needs.
inline constexpr double kLongSilenceS = 0.5;

struct Silences {
  double longest_s = 0.0;
  double long_s = 0.0;  // in all silences of kLongSilenceS and longer
};

// Runs of windows of 10 ms that are `top_db` or more below the loudest one, anywhere in the
// samples.
Silences silences_in(std::span<const float> samples, int sample_rate, double top_db);

}  // namespace xtts::audio
