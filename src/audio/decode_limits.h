// Limits and fault messages shared by the audio readers behind decode().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace myxtts::audio {

inline constexpr int kMinSampleRate = 1000;    // Hz
inline constexpr int kMaxSampleRate = 384000;  // Hz
inline constexpr int kMaxChannels = 8;

inline constexpr const char* kConvertHint = "; convert it, for example: ffmpeg -i in.m4a out.wav";

// Samples of one channel in `seconds`; accepts any number of seconds.
std::size_t frames_in(double seconds, int sample_rate);

// "31.2 s or more, longer than 30 s; ..."
std::string too_long_detail(double seconds, double max_seconds);

// "500 of 1000 samples present; ..."
std::string truncated_detail(std::uint64_t present, std::uint64_t stated);

}  // namespace myxtts::audio
