#include "speak/joined_sound.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace xtts::speak {
namespace {

constexpr double kFadeInSeconds = 0.003;   // short: a plosive begins at once
constexpr double kFadeOutSeconds = 0.010;  // longer: endings ring

std::size_t samples_in(double seconds, int sample_rate) {
  return static_cast<std::size_t>(std::llround(seconds * sample_rate));
}

// Rises from 0 to 1 without a corner at either end.
float raised_cosine(std::size_t index, std::size_t count) {
  const double place = (static_cast<double>(index) + 0.5) / static_cast<double>(count);
  return static_cast<float>(0.5 - 0.5 * std::cos(std::numbers::pi * place));
}

// A piece that is shorter than both fades has half of itself for each.
void fade_ends(std::span<float> samples, int sample_rate) {
  const std::size_t half = samples.size() / 2;
  const std::size_t in = std::min(samples_in(kFadeInSeconds, sample_rate), half);
  const std::size_t out = std::min(samples_in(kFadeOutSeconds, sample_rate), half);
  for (std::size_t i = 0; i < in; ++i)
    samples[i] *= raised_cosine(i, in);
  for (std::size_t i = 0; i < out; ++i)
    samples[samples.size() - 1 - i] *= raised_cosine(i, out);
}

}  // namespace

std::vector<float> join_sounds(std::span<const SoundPiece> pieces, int sample_rate) {
  std::vector<float> joined;
  if (pieces.empty()) return joined;
  const auto add_silence = [&](double seconds) {
    joined.resize(joined.size() + samples_in(seconds, sample_rate), 0.0F);
  };

  add_silence(kLeadSeconds);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::size_t begin = joined.size();
    joined.insert(joined.end(), pieces[i].samples.begin(), pieces[i].samples.end());
    fade_ends(std::span(joined).subspan(begin), sample_rate);
    add_silence(i + 1 < pieces.size() ? pieces[i].pause_s : kTailSeconds);
  }
  return joined;
}

}  // namespace xtts::speak
