// Signals and files that the audio tests share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include <sndfile.h>

#include "base/random.h"

namespace myxtts::audio {

inline constexpr double kMaxSeconds = 30.0;  // limit of the readers unless a test sets another

inline double rms(const std::vector<float>& samples) {
  double sum = 0.0;
  for (const float sample : samples)
    sum += static_cast<double>(sample) * sample;
  return std::sqrt(sum / static_cast<double>(samples.size()));
}

inline std::vector<float> sine(double hz, int rate, double seconds, double amplitude = 0.5) {
  std::vector<float> samples(static_cast<std::size_t>(std::lround(rate * seconds)));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double cycles = hz * static_cast<double>(i) / rate;
    samples[i] = static_cast<float>(amplitude * std::sin(2.0 * std::numbers::pi * cycles));
  }
  return samples;
}

inline std::vector<float> noise(std::size_t count, std::uint64_t seed, double amplitude = 0.5) {
  base::Random random(seed);
  std::vector<float> samples(count);
  for (float& sample : samples) {
    sample = static_cast<float>(amplitude * (2.0 * random.unit() - 1.0));
  }
  return samples;
}

inline std::string little_endian(std::uint64_t value, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i)
    bytes += static_cast<char>(value >> (8 * i) & 0xFFU);
  return bytes;
}

// In-memory output file of libsndfile, the reference for our readers.
struct MemoryTarget {
  std::string bytes;
  sf_count_t position = 0;
};

// Encodes interleaved frames with libsndfile; empty if this libsndfile cannot write the format.
inline std::string encoded(std::span<const float> frames, int rate, int channels, int format) {
  SF_VIRTUAL_IO io{};
  io.get_filelen = [](void* user) {
    return static_cast<sf_count_t>(static_cast<MemoryTarget*>(user)->bytes.size());
  };
  io.seek = [](sf_count_t offset, int whence, void* user) {
    auto& target = *static_cast<MemoryTarget*>(user);
    const auto size = static_cast<sf_count_t>(target.bytes.size());
    const sf_count_t origin = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? target.position : size;
    return target.position = origin + offset;
  };
  io.read = [](void* to, sf_count_t count, void* user) {
    auto& target = *static_cast<MemoryTarget*>(user);
    const auto left = static_cast<sf_count_t>(target.bytes.size()) - target.position;
    const sf_count_t copied = std::max<sf_count_t>(0, std::min(count, left));
    std::memcpy(to, target.bytes.data() + target.position, static_cast<std::size_t>(copied));
    target.position += copied;
    return copied;
  };
  io.write = [](const void* from, sf_count_t count, void* user) {
    auto& target = *static_cast<MemoryTarget*>(user);
    const auto end = static_cast<std::size_t>(target.position + count);
    if (target.bytes.size() < end) target.bytes.resize(end);
    std::memcpy(target.bytes.data() + target.position, from, static_cast<std::size_t>(count));
    target.position += count;
    return count;
  };
  io.tell = [](void* user) { return static_cast<MemoryTarget*>(user)->position; };

  MemoryTarget target;
  SF_INFO header{};
  header.samplerate = rate;
  header.channels = channels;
  header.format = format;
  SNDFILE* file = sf_open_virtual(&io, SFM_WRITE, &header, &target);
  if (file == nullptr) return "";
  sf_command(file, SFC_SET_CLIPPING, nullptr, SF_TRUE);
  sf_writef_float(file, frames.data(), static_cast<sf_count_t>(frames.size()) / channels);
  sf_close(file);
  return target.bytes;
}

}  // namespace myxtts::audio
