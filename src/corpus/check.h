#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "config/config.h"
#include "corpus/measure.h"
#include "corpus/reader.h"
#include "corpus/utterance.h"

namespace xtts::corpus {

struct CheckReport {
  std::size_t utterances = 0;  // lines that name one, good and bad together
  // Each bad utterance once, in the order of their lines; that there is none at all is bad, too.
  std::vector<Problem> bad;
  std::vector<Problem> warnings;  // usable, but worth a look; an utterance may have several
};

// A pause from which on it deserves a look, if nobody says otherwise.
inline constexpr double kUsualLongSilenceS = 2.0;

// Reads every recording and every text, and lists what training would have to skip. Never throws
// for what is in the corpus. The report does not depend on `num_workers`; `on_done(1)` is called
// once per utterance of `corpus.utterances`.
CheckReport check_corpus(const Corpus& corpus,
                         const config::Config& config,
                         int num_workers,
                         const std::function<void(std::size_t)>& on_done = {},
                         double long_silence_s = kUsualLongSilenceS);

// The same from numbers that have been measured already. Pure.
CheckReport check_measured(const Corpus& corpus,
                           std::span<const Measured> measured,
                           double long_silence_s = kUsualLongSilenceS);

}  // namespace xtts::corpus
