#pragma once

#include <string_view>

#include "audio/decode.h"

namespace xtts::audio {

// True if the bytes begin like FLAC or OGG.
bool looks_like_flac_or_ogg(std::string_view bytes);

// decode() for FLAC, OGG Vorbis and OGG Opus, by libsndfile.
//
// libsndfile sees only bytes that begin like one of these, so that the many other formats it knows
// cannot be reached by a hostile file.
DecodeResult decode_flac_or_ogg(std::string_view bytes, double max_seconds);

}  // namespace xtts::audio
