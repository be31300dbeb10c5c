// Valid inputs for fuzzing.
#pragma once

#include <string>
#include <vector>

namespace myxtts::fuzz {

// Return valid inputs that are mutated.
std::vector<std::string> audio_seeds();     // WAV encodings, FLAC, OGG, Opus, MP3
std::vector<std::string> metadata_seeds();  // every layout, with quotes, BOM and CRLF
std::vector<std::string> yaml_seeds();      // small configurations, nested and quoted
std::vector<std::string>
checkpoint_seeds();  // safetensors files, with and without metadata; a manifest
std::vector<std::string>
text_seeds();  // English and Persian sentences with numbers, dates and units

}  // namespace myxtts::fuzz
