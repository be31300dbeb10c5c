#include "synthesis/join_audio.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "base/error.h"

namespace myxtts::synthesis {
namespace {

constexpr double kFadeInSeconds = 0.003;   // short: a plosive has a sharp onset
constexpr double kFadeOutSeconds = 0.010;  // longer: endings decay

std::size_t samples_in(double seconds, int sample_rate) {
  return static_cast<std::size_t>(std::llround(seconds * sample_rate));
}

// Rises smoothly from 0 to 1.
float raised_cosine(std::size_t index, std::size_t count) {
  const double position = (static_cast<double>(index) + 0.5) / static_cast<double>(count);
  return static_cast<float>(0.5 - 0.5 * std::cos(std::numbers::pi * position));
}

}  // namespace

AudioJoiner::AudioJoiner(int sample_rate, std::function<void(std::span<const float>)> on_samples)
    : sample_rate_(sample_rate), on_samples_(std::move(on_samples)) {}

void AudioJoiner::add_silence(double seconds) {
  faded_.assign(samples_in(seconds, sample_rate_), 0.0F);
  on_samples_(faded_);
}

void AudioJoiner::begin_piece(std::size_t num_samples, double pause_s) {
  invariant(position_ == length_, "the previous piece is complete");
  add_silence(has_pieces_ ? pause_s : kLeadSeconds);
  has_pieces_ = true;
  length_ = num_samples;
  position_ = 0;
  // In a piece shorter than both fades, each fade takes half of the piece.
  fade_in_ = std::min(samples_in(kFadeInSeconds, sample_rate_), num_samples / 2);
  fade_out_ = std::min(samples_in(kFadeOutSeconds, sample_rate_), num_samples / 2);
}

void AudioJoiner::add(std::span<const float> samples) {
  invariant(position_ + samples.size() <= length_, "a piece has the announced length");
  faded_.assign(samples.begin(), samples.end());
  for (float& sample : faded_) {
    const std::size_t left = length_ - 1 - position_;
    if (position_ < fade_in_) sample *= raised_cosine(position_, fade_in_);
    if (left < fade_out_) sample *= raised_cosine(left, fade_out_);
    ++position_;
  }
  on_samples_(faded_);
}

void AudioJoiner::end() {
  invariant(position_ == length_, "the last piece is complete");
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

}  // namespace myxtts::synthesis
