#include "audio/wav.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/error.h"

namespace myxtts::audio {
namespace {

constexpr std::uint32_t kHeaderBytes = 44;

void append_number(std::string& bytes, std::uint32_t value, int count) {
  for (int i = 0; i < count; ++i)
    bytes += static_cast<char>(value >> (8 * i) & 0xFFU);
}

// Rounds to nearest, halves away from zero. Sums are exact in double, and unlike std::lround this
// is inlined.
std::int16_t to_pcm16(float sample) {
  if (std::isnan(sample)) return 0;
  const double value = std::clamp(sample * 32768.0F, -32768.0F, 32767.0F);
  return static_cast<std::int16_t>(value + std::copysign(0.5, value));
}

void append_samples(std::string& bytes, std::span<const float> samples) {
  const std::size_t before = bytes.size();
  bytes.resize(before + 2 * samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto value = static_cast<std::uint16_t>(to_pcm16(samples[i]));
    bytes[before + 2 * i] = static_cast<char>(value & 0xFFU);
    bytes[before + 2 * i + 1] = static_cast<char>(value >> 8U);
  }
}

}  // namespace

std::string wav_bytes(std::span<const float> samples, int sample_rate) {
  invariant(sample_rate > 0, "sample rate is positive");
  const std::uint64_t data_bytes = 2 * static_cast<std::uint64_t>(samples.size());
  require(data_bytes <= std::numeric_limits<std::uint32_t>::max() - kHeaderBytes,
          "{} samples exceed the 4 GiB of a WAV file; write shorter files",
          samples.size());

  const auto rate = static_cast<std::uint32_t>(sample_rate);
  std::string bytes;
  bytes.reserve(kHeaderBytes + data_bytes);
  bytes += "RIFF";
  append_number(bytes, static_cast<std::uint32_t>(data_bytes) + kHeaderBytes - 8, 4);
  bytes += "WAVEfmt ";
  append_number(bytes, 16, 4);        // size of this chunk
  append_number(bytes, 1, 2);         // PCM
  append_number(bytes, 1, 2);         // channels
  append_number(bytes, rate, 4);      // frames per second
  append_number(bytes, 2 * rate, 4);  // bytes per second
  append_number(bytes, 2, 2);         // bytes per frame
  append_number(bytes, 16, 2);        // bits per sample
  bytes += "data";
  append_number(bytes, static_cast<std::uint32_t>(data_bytes), 4);
  append_samples(bytes, samples);
  return bytes;
}

std::string pcm16_bytes(std::span<const float> samples) {
  std::string bytes;
  bytes.reserve(2 * samples.size());
  append_samples(bytes, samples);
  return bytes;
}

}  // namespace myxtts::audio
