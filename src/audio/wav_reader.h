// Decodes WAV files.
#pragma once

#include <string_view>

#include "audio/decode.h"

namespace myxtts::audio {

// Returns true if the bytes start like a RIFF WAVE file.
bool looks_like_wav(std::string_view bytes);

// Decodes WAV (8, 16, 24 or 32 bit PCM; 32 or 64 bit float; basic or extensible); see decode().
//
// A dedicated reader is safer than a general parser, which follows every chunk of a hostile file:
// this one needs two chunks and skips all others. A data chunk of 0xFFFFFFFF bytes, or of 0 in a
// file whose RIFF size is missing too, was written to a pipe and extends to the end of the file.
void decode_wav(std::string_view bytes, double max_seconds, DecodeResult& result);

}  // namespace myxtts::audio
