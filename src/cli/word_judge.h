#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "train/spoken_section.h"

namespace xtts::cli {

// Asks a judge how many words of WAVS/0001.wav, 0002.wav and so on it understands. `command` is
// what a person would type in a shell; "--text FILE --wavs DIR --json" is added to it, and it
// answers as tools/judge_words.py does. `text` has one sentence per line, `count` in all. Throws
// UserError with its last words if it fails, takes more than ten minutes or answers with something
// else.
std::vector<train::Heard> judge_words(const std::string& command,
                                      const std::filesystem::path& text,
                                      const std::filesystem::path& wavs,
                                      std::size_t count);

}  // namespace xtts::cli
