#pragma once

#include <string_view>

#include "audio/decode.h"

namespace xtts::audio {

// True if the bytes begin like MPEG audio: a tag or a frame.
bool looks_like_mp3(std::string_view bytes);

// decode() for MP3, by libmpg123.
//
// libsndfile would read MP3 through the same library, but lets it write to standard error whatever
// it dislikes about a damaged file; here it is silent. A cut file is noticed if its first frame
// says how long it is, as files of most encoders do. Samples go into memory that the result has,
// and each thread keeps its decoder, unless a file was at fault: from the second file on it asks
// for no memory but for the table of seek points that some files have (100 bytes).
void decode_mp3(std::string_view bytes, double max_seconds, DecodeResult& result);
DecodeResult decode_mp3(std::string_view bytes, double max_seconds);

}  // namespace xtts::audio
