// Decodes MP3 with libmpg123.
#pragma once

#include <string_view>

#include "audio/decode.h"

namespace myxtts::audio {

// Returns true if the bytes start like MPEG audio: with an ID3 tag or a frame.
bool looks_like_mp3(std::string_view bytes);

// Decodes MP3; see decode().
//
// libsndfile uses the same library, but lets it print complaints about damaged files to standard
// error; here it is silent. Truncation is detected if the first frame states the length, as most
// encoders write it. Reuses the sample memory of `result`. Each thread keeps its decoder after a
// file without fault, so later files allocate only the seek table that some have (100 bytes).
void decode_mp3(std::string_view bytes, double max_seconds, DecodeResult& result);
DecodeResult decode_mp3(std::string_view bytes, double max_seconds);

}  // namespace myxtts::audio
