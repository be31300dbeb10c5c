// Chooses, builds and renders example utterances for a report.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "config/config.h"
#include "corpus/measure.h"
#include "corpus/reader.h"

namespace myxtts::corpus {

// An example utterance of a report: text, mel spectrogram and audio.
struct Example {
  std::string id;
  std::string speaker;
  std::string text;
  std::string phonemes;  // the normalised text if the model uses graphemes
  double seconds = 0.0;  // duration of the recording
  std::int64_t mel_length = 0;
  std::string mel_png;        // PNG bytes: mel spectrogram
  std::string recording_wav;  // WAV bytes: the recording, mixed to one channel
  std::string mel_wav;        // WAV bytes: the mel inverted by Griffin-Lim
};

// Returns the indices of up to `count` usable utterances, evenly spaced from the shortest to the
// longest mel. Each is at most `max_each_s` long and all at most `max_seconds`, which limits the
// size of the page. Pure.
std::vector<std::size_t> choose_examples(
    std::span<const Measurement> measured,
    std::size_t count,
    double max_seconds,
    double max_each_s = std::numeric_limits<double>::infinity());

// Builds the examples of the chosen utterances. Deterministic. Calls `on_done(1)` once per example,
// from any worker. Throws UserError if a recording changed after it was measured.
std::vector<Example> make_examples(const Corpus& corpus,
                                   std::span<const std::size_t> chosen,
                                   std::span<const Measurement> measured,
                                   const config::Config& config,
                                   int num_workers,
                                   const std::function<void(std::size_t)>& on_done = {});

// Returns the HTML section of the examples, "" if there are none.
std::string examples_section(std::span<const Example> examples);

}  // namespace myxtts::corpus
