#pragma once

#include <string_view>

#include "audio/decode.h"

namespace xtts::audio {

// True if the bytes begin like a RIFF WAVE file.
bool looks_like_wav(std::string_view bytes);

// decode() for WAV: PCM of 8, 16, 24 or 32 bits and floats of 32 or 64, plain or extensible.
//
// Our own reader, because of what is around the samples: a general parser follows every chunk that
// a hostile file can hold, this one needs two of them. Chunks it does not know are stepped over. A
// data chunk of 0xFFFFFFFF bytes, or of 0 in a file whose own size is not filled in either, was
// written to a pipe and reaches to the end of the file.
void decode_wav(std::string_view bytes, double max_seconds, DecodeResult& result);

}  // namespace xtts::audio
