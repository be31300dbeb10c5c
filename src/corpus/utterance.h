#pragma once

#include <filesystem>
#include <string>

namespace xtts::corpus {

// One recording and what is said in it, as a line of the metadata names them. Nothing has been
// opened yet: the audio may be missing or broken.
struct Utterance {
  std::string id;               // unique in its corpus, UTF-8, never empty
  std::filesystem::path audio;  // relative to the corpus root, inside it
  std::string text;             // UTF-8, not blank, no NUL
  std::string speaker;          // "" when the metadata names none
  int line = 0;                 // in the metadata file, from 1
};

// Why an utterance cannot be used, or deserves a look.
struct Problem {
  std::string id;          // UTF-8; "line 12" when the line is too broken to name one
  std::string reason;      // one snake_case word of corpus/reasons.h
  std::string detail;      // what was found in this case
  std::string suggestion;  // what to do about it
  int line = 0;            // in the metadata file, from 1; 0 when unknown
};

}  // namespace xtts::corpus
