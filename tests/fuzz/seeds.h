#pragma once

#include <string>
#include <vector>

namespace xtts::fuzz {

// Healthy inputs that the mutations start from, made in memory.
std::vector<std::string> audio_seeds();     // WAV of several kinds, FLAC, OGG, Opus, MP3
std::vector<std::string> metadata_seeds();  // every layout, with quotes, BOM and CRLF
std::vector<std::string> yaml_seeds();      // small configurations, nested and quoted
std::vector<std::string> save_seeds();  // safetensors files, with and without metadata; a manifest
std::vector<std::string> text_seeds();  // English and Persian sentences with everything

}  // namespace xtts::fuzz
