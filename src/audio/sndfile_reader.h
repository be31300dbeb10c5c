// Decodes FLAC and OGG with libsndfile.
#pragma once

#include <string_view>

#include "audio/decode.h"

namespace myxtts::audio {

// Returns true if the bytes start like FLAC or OGG.
bool looks_like_flac_or_ogg(std::string_view bytes);

// Decodes FLAC, OGG Vorbis and OGG Opus; see decode().
//
// libsndfile only sees bytes that start like one of these, so that a hostile file cannot reach its
// other parsers.
DecodeResult decode_flac_or_ogg(std::string_view bytes, double max_seconds);

}  // namespace myxtts::audio
