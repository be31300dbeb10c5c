#include "synthesis/postfilter.h"

#include <algorithm>
#include <span>
#include <vector>

namespace myxtts::synthesis {
namespace {

constexpr int kRadius = 3;  // channels on either side

// The outermost channels are repeated beyond the edges of the frame.
float mean_around(std::span<const float> frame, int channel) {
  const int last = static_cast<int>(frame.size()) - 1;
  float sum = 0.0F;
  for (int i = channel - kRadius; i <= channel + kRadius; ++i)
    sum += frame[static_cast<std::size_t>(std::clamp(i, 0, last))];
  return sum / (2 * kRadius + 1);
}

}  // namespace

double default_postfilter(const config::ModelConfig& model) {
  return model.decoder == "flow" ? 0.0 : 0.3;
}

void apply_postfilter(audio::Mel& mel, double strength, float lowest, float highest) {
  if (strength == 0.0) return;
  const auto channels = static_cast<std::size_t>(mel.n_mels);
  const auto amount = static_cast<float>(strength);
  std::vector<float> before(channels);
  for (std::size_t start = 0; start < mel.values.size(); start += channels) {
    const std::span<float> frame = std::span(mel.values).subspan(start, channels);
    std::ranges::copy(frame, before.begin());
    for (int i = 0; i < mel.n_mels; ++i) {
      float& value = frame[static_cast<std::size_t>(i)];
      value = std::clamp(value + amount * (value - mean_around(before, i)), lowest, highest);
    }
  }
}

}  // namespace myxtts::synthesis
