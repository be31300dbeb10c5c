// Measures the utterances of a corpus: text length, mel length and properties of the recording.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "corpus/reader.h"
#include "corpus/utterance.h"

namespace myxtts::corpus {

// The lengths of an utterance as the model input, and properties of its recording.
struct Measurement {
  std::int64_t text_length = 0;      // symbol ids by the text front end
  std::int64_t mel_length = 0;       // frames after resampling and trimming
  double seconds = 0.0;              // duration of the recording before trimming
  double speech_s = 0.0;             // duration after trimming
  double peak = 0.0;                 // largest magnitude; 1 is full scale
  double clipped_share = 0.0;        // share of samples at full scale, 0..1
  double longest_silence_s = 0.0;    // longest pause in the recording
  std::vector<std::string> dropped;  // characters without a symbol, each once
  std::optional<Problem> problem;    // why it cannot be used; then the other fields are invalid
};

// Measures every utterance and returns the results in the order of the corpus. The result does not
// depend on `num_workers` (0 or 1: sequential). Calls `on_done(1)` once per utterance on the
// caller's thread. Throws UserError if the text front end cannot run or the disk does not respond
// (corpus/for_each_utterance.h).
std::vector<Measurement> measure_corpus(const Corpus& corpus,
                                        const config::Config& config,
                                        int num_workers,
                                        const std::function<void(std::size_t)>& on_done = {});

}  // namespace myxtts::corpus
