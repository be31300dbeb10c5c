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

namespace xtts::corpus {

// One utterance to look at and to listen to.
struct Example {
  std::string id;
  std::string speaker;
  std::string text;
  std::string phonemes;  // or the normalised text where graphemes are used
  double seconds = 0.0;  // of the recording
  std::int64_t mel_length = 0;
  std::string mel_png;        // bytes of a picture of the mel
  std::string recording_wav;  // bytes: as it was recorded, mixed to one channel
  std::string mel_wav;        // bytes: what Griffin-Lim makes of the mel alone
};

// Places in `measured` of up to `count` good utterances, evenly spread from the shortest to the
// longest mel, each at most `max_each_s` and together at most `max_seconds` long, so that a page
// with them stays small. Pure.
std::vector<std::size_t> choose_examples(
    std::span<const Measured> measured,
    std::size_t count,
    double max_seconds,
    double max_each_s = std::numeric_limits<double>::infinity());

// Decodes, computes and draws the chosen utterances. Same corpus, same bytes. `on_done(1)` once per
// example, from any worker. Throws UserError if a recording has vanished since it was measured.
std::vector<Example> make_examples(const Corpus& corpus,
                                   std::span<const std::size_t> chosen,
                                   std::span<const Measured> measured,
                                   const config::Config& config,
                                   int num_workers,
                                   const std::function<void(std::size_t)>& on_done = {});

// Nothing for no examples.
std::string examples_section(std::span<const Example> examples);

}  // namespace xtts::corpus
