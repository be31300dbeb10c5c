// Plans the utterances of a demo corpus: id, voice, text and split.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "corpus/demo_sentences.h"

namespace myxtts::corpus {

inline constexpr std::size_t kMaxDemoUtterances = 100'000;

struct DemoRequest {
  std::filesystem::path out;
  std::string language = "en";
  std::vector<std::string> voices;        // used in rotation; empty: the first of the language
  std::optional<std::size_t> utterances;  // absent: 600, or all lines of text_file
  std::optional<std::filesystem::path>
      text_file;                   // one sentence per line; absent: built-in sentences
  std::optional<WordRange> words;  // absent: 2-25, or every line of text_file
  std::uint64_t seed = 1;
  double val_share = 0.1;  // share of validation utterances, 0 <= share < 1
  int num_workers = 1;
};

struct DemoUtterance {
  std::string id;  // "rms_00001"
  std::string voice;
  std::string text;
  bool for_validation = false;

  std::filesystem::path audio() const;  // "train/wavs/rms_00001.wav", relative to the corpus
};

// Returns the utterances of the request. All texts are different, so the splits share none. Throws
// UsageError for an invalid request and UserError if the speech program is missing.
std::vector<DemoUtterance> plan_demo_corpus(const DemoRequest& request);

}  // namespace myxtts::corpus
