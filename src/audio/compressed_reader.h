#pragma once

#include <string_view>

#include "audio/decode.h"

namespace xtts::audio {

// True if the bytes begin like FLAC, OGG or MPEG audio.
bool looks_compressed(std::string_view bytes);

// decode() for FLAC, OGG Vorbis, OGG Opus and MP3, by libsndfile.
DecodeResult decode_compressed(std::string_view bytes, double max_seconds);

}  // namespace xtts::audio
