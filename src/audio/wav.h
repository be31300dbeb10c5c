#pragma once

#include <span>
#include <string>

namespace xtts::audio {

// A mono 16-bit PCM WAV file: 44 bytes of header, then the samples, little-endian. Same samples,
// same bytes. Samples beyond full scale are held at it; NaN becomes silence. Throws UserError for
// more than 4 GiB, the most a WAV can say.
std::string wav_bytes(std::span<const float> samples, int sample_rate);

// The samples of such a file without its header.
std::string pcm16_bytes(std::span<const float> samples);

}  // namespace xtts::audio
