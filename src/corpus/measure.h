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

namespace xtts::corpus {

// What one utterance is as the model will see it, and how its recording is as it lies on the disk.
struct Measured {
  std::int64_t text_length = 0;      // symbol ids by the text front end
  std::int64_t mel_length = 0;       // frames after resampling and trimming
  double seconds = 0.0;              // of the recording, before trimming
  double speech_s = 0.0;             // after trimming
  double peak = 0.0;                 // largest magnitude; 1 is full scale
  double clipped_share = 0.0;        // of samples at full scale, 0..1
  double longest_silence_s = 0.0;    // anywhere in the recording
  std::vector<std::string> dropped;  // characters of the text that nothing speaks, each once
  std::optional<Problem> problem;    // why it cannot be used; the numbers then count for nothing
};

// Decodes every recording and encodes every text of the corpus, in its order. The result does not
// depend on `num_workers` (0 or 1: one after the other). `on_done(1)` is called once per utterance,
// on the caller's thread. Throws UserError if the text front end cannot run at all, or if the disk
// does not answer (corpus/each_utterance.h).
std::vector<Measured> measure_corpus(const Corpus& corpus,
                                     const config::Config& config,
                                     int num_workers,
                                     const std::function<void(std::size_t)>& on_done = {});

}  // namespace xtts::corpus
