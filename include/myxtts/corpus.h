// Checks and measures a corpus of recordings with transcripts.
//
// Link with myxtts::core (libmyxtts_core.so); LibTorch is not needed. LJSpeech, the layout of
// MyXTTS, Piper and Hugging Face audiofolder are recognised, with WAV, FLAC, OGG, Opus and MP3
// files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <myxtts/error.h>

namespace myxtts {

// Why an utterance cannot be used, or a warning about it.
struct CorpusProblem {
  std::string id;          // of the utterance; "line 12" if the line has none
  std::string reason;      // a stable name such as "too_long" or "not_audio"
  std::string detail;      // what was found
  std::string suggestion;  // what to do about it
  int line = 0;            // of the metadata file, from 1; 0 if unknown
};

struct LengthSummary {
  std::int64_t min = 0;
  std::int64_t max = 0;
  double mean = 0.0;
  std::int64_t p50 = 0;
  std::int64_t p95 = 0;
  std::int64_t p99 = 0;
};

struct CorpusReport {
  std::size_t utterances = 0;         // usable and unusable
  std::size_t usable = 0;             // the figures below are of these
  double hours = 0.0;                 // before trimming
  std::vector<std::string> speakers;  // sorted; one empty name if the corpus names none
  LengthSummary text_length;          // symbols
  LengthSummary mel_length;           // frames, after trimming
  std::int64_t max_text_length = 0;   // recommended limits
  std::int64_t max_mel_frames = 0;
  std::vector<CorpusProblem> problems;  // of unusable utterances, in the order of the metadata
  std::vector<CorpusProblem> warnings;  // about usable utterances
};

// The training set of a corpus folder.
//
// Immutable after open(); threads may share it. Nothing is printed.
class Corpus {
 public:
  // Reads the metadata. `language` is "en" or "fa". Throws UsageError if the folder or its metadata
  // does not exist, UserError if the metadata cannot be read.
  static Corpus open(const std::string& folder, const std::string& language = "en");

  Corpus(Corpus&& other) noexcept;
  Corpus& operator=(Corpus&& other) noexcept;
  ~Corpus();

  std::size_t size() const;  // utterances of the metadata

  // Reads every recording and text, with `num_workers` threads, and finds what training would skip.
  // The report does not depend on `num_workers`. `on_progress` is called on any thread, one call at
  // a time, with the utterances done so far.
  CorpusReport check(int num_workers = 1,
                     const std::function<void(std::size_t done)>& on_progress = {}) const;

 private:
  struct Impl;
  explicit Corpus(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace myxtts
