// The demo corpus: recordings that anybody can make in a minute, without downloading anything.
//
//   DIR/train/metadata.csv   id|text|text (one voice: LJSpeech) or file|voice|text (several: Piper)
//   DIR/train/wavs/*.wav
//   DIR/val/...              the same
//   DIR/made.jsonl           what each recording was made from, and its SHA-256
//
// All of it is a function of the request (without the number of workers) and of the version of the
// speaking program. made.jsonl grows by one line per recording while the work goes on and is
// rewritten in order at the end, so a run that was interrupted continues where it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "corpus/demo_sentences.h"

namespace xtts::corpus {

inline constexpr std::size_t kMaxDemoUtterances = 100'000;

struct DemoRequest {
  std::filesystem::path out;
  std::string language = "en";
  std::vector<std::string> voices;                 // they take turns; empty: the language's first
  std::optional<std::size_t> utterances;           // absent: 600, or all lines of text_file
  std::optional<std::filesystem::path> text_file;  // one sentence per line instead of our own
  std::optional<WordRange> words;                  // absent: 2-25, or every line of text_file
  std::uint64_t seed = 1;
  double val_share = 0.1;  // of the utterances, 0 <= share < 1
  int num_workers = 1;
};

struct DemoUtterance {
  std::string id;  // "rms_00001"
  std::string voice;
  std::string text;
  bool for_validation = false;

  std::filesystem::path audio() const;  // "train/wavs/rms_00001.wav", relative to the corpus
};

// Who says what, and where it goes. Texts are all different, so train and val share none. Throws
// UsageError for a request that makes no sense and UserError if a program is missing.
std::vector<DemoUtterance> plan_demo_corpus(const DemoRequest& request);

struct DemoResult {
  std::size_t made = 0;
  std::size_t kept = 0;     // were there already, made from the same text by the same voice
  std::size_t removed = 0;  // recordings of an earlier request that this one does not have
  double seconds = 0.0;     // of speech, all of it
};

// Makes what is missing or damaged. `on_done(1)` is called once per utterance, from any worker.
// Throws UsageError if `out` holds something else, UserError if speaking or writing fails.
DemoResult write_demo_corpus(const DemoRequest& request,
                             const std::vector<DemoUtterance>& utterances,
                             const std::function<void(std::size_t)>& on_done = {});

}  // namespace xtts::corpus
