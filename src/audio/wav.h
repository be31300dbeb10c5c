#pragma once

#include <span>
#include <string>

namespace myxtts::audio {

// Encodes a mono 16-bit PCM WAV file: 44 bytes of header, then the samples, little-endian. Same
// samples, same bytes. Samples are clipped to full scale; NaN becomes 0. Throws UserError for more
// than 4 GiB, the limit of the format.
std::string wav_bytes(std::span<const float> samples, int sample_rate);

// Encodes samples as 16-bit PCM without a header.
std::string pcm16_bytes(std::span<const float> samples);

}  // namespace myxtts::audio
