// Checks a corpus: lists bad utterances and warnings.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "config/config.h"
#include "corpus/measure.h"
#include "corpus/reader.h"
#include "corpus/utterance.h"

namespace myxtts::corpus {

struct CheckReport {
  std::size_t utterances = 0;  // all, good and bad
  // One problem per bad utterance, in the order of lines. An empty corpus is a problem, too.
  std::vector<Problem> bad;
  std::vector<Problem> warnings;  // usable utterances; one may have several
};

// Pauses of at least this length get a warning by default, in seconds.
inline constexpr double kDefaultLongSilenceS = 2.0;

// Reads every recording and text and lists the utterances that training would skip. Never throws
// because of the corpus content. The report does not depend on `num_workers`. Calls `on_done(1)`
// once per utterance of `corpus.utterances`.
CheckReport check_corpus(const Corpus& corpus,
                         const config::Config& config,
                         int num_workers,
                         const std::function<void(std::size_t)>& on_done = {},
                         double long_silence_s = kDefaultLongSilenceS);

// Checks a corpus that has been measured. Pure.
CheckReport check_measured(const Corpus& corpus,
                           std::span<const Measurement> measured,
                           double long_silence_s = kDefaultLongSilenceS);

}  // namespace myxtts::corpus
