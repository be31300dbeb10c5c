#include "speak/join_audio.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "base/error.h"

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

}  // namespace

AudioJoiner::AudioJoiner(int sample_rate, std::function<void(std::span<const float>)> on_sound)
    : sample_rate_(sample_rate), on_sound_(std::move(on_sound)) {}

void AudioJoiner::add_silence(double seconds) {
  faded_.assign(samples_in(seconds, sample_rate_), 0.0F);
  on_sound_(faded_);
}

void AudioJoiner::begin_piece(std::size_t num_samples, double pause_s) {
  invariant(place_ == length_, "the piece before is complete");
  add_silence(has_pieces_ ? pause_s : kLeadSeconds);
  has_pieces_ = true;
  length_ = num_samples;
  place_ = 0;
  // A piece that is shorter than both fades has half of itself for each.
  fade_in_ = std::min(samples_in(kFadeInSeconds, sample_rate_), num_samples / 2);
  fade_out_ = std::min(samples_in(kFadeOutSeconds, sample_rate_), num_samples / 2);
}

void AudioJoiner::add(std::span<const float> samples) {
  invariant(place_ + samples.size() <= length_, "a piece is as long as it was said to be");
  faded_.assign(samples.begin(), samples.end());
  for (float& sample : faded_) {
    const std::size_t left = length_ - 1 - place_;
    if (place_ < fade_in_) sample *= raised_cosine(place_, fade_in_);
    if (left < fade_out_) sample *= raised_cosine(left, fade_out_);
    ++place_;
  }
  on_sound_(faded_);
}

void AudioJoiner::end() {
  invariant(place_ == length_, "the last piece is complete");
  if (has_pieces_) add_silence(kTailSeconds);
}

std::vector<float> join_audio(std::span<const AudioSegment> pieces, int sample_rate) {
  std::vector<float> joined;
  AudioJoiner joiner(sample_rate, [&](std::span<const float> samples) {
    joined.insert(joined.end(), samples.begin(), samples.end());
  });
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    joiner.begin_piece(pieces[i].samples.size(), i > 0 ? pieces[i - 1].pause_s : 0.0);
    joiner.add(pieces[i].samples);
  }
  joiner.end();
  return joined;
}

}  // namespace xtts::speak
