// An utterance of a corpus and its problems.
#pragma once

#include <filesystem>
#include <string>

namespace myxtts::corpus {

// A recording and its transcript, as in a line of the metadata. The audio has not been opened; it
// may be missing or damaged.
struct Utterance {
  std::string id;               // unique in its corpus, UTF-8, never empty
  std::filesystem::path audio;  // relative to the corpus root, inside it
  std::string text;             // UTF-8, not blank, no NUL
  std::string speaker;          // "" if the metadata has none
  int line = 0;                 // in the metadata file, from 1
};

// Why an utterance cannot be used, or a warning about it.
struct Problem {
  std::string id;          // UTF-8; "line 12" if the line has no id
  std::string reason;      // an id of corpus/reasons.h
  std::string detail;      // what was found in this case
  std::string suggestion;  // what to do about it
  int line = 0;            // in the metadata file, from 1; 0 if unknown
};

}  // namespace myxtts::corpus
