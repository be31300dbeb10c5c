#include "audio/silences.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace myxtts::audio {

Silences silences_in(std::span<const float> samples, int sample_rate, double top_db) {
  const auto window = static_cast<std::size_t>(std::max(1, sample_rate / 100));
  std::vector<double> powers;
  for (std::size_t begin = 0; begin < samples.size(); begin += window) {
    const std::size_t size = std::min(window, samples.size() - begin);
    double sum = 0.0;
    for (const float sample : samples.subspan(begin, size))
      sum += double{sample} * sample;
    powers.push_back(sum / static_cast<double>(size));
  }
  if (powers.empty()) return {};
  const double threshold = *std::ranges::max_element(powers) * std::pow(10.0, -top_db / 10.0);
  const double window_s = static_cast<double>(window) / sample_rate;
  Silences silences;
  std::size_t run = 0;
  const auto end_run = [&] {
    const double seconds = static_cast<double>(run) * window_s;
    silences.longest_s = std::max(silences.longest_s, seconds);
    if (seconds >= kLongSilenceS) silences.long_s += seconds;
    run = 0;
  };
  for (const double power : powers) {
    if (power <= threshold) {
      ++run;
    } else {
      end_run();
    }
  }
  end_run();
  return silences;
}

}  // namespace myxtts::audio
