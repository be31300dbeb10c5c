#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

#include "base/parallel_for_with_timeout.h"
#include "corpus/load_recording.h"
#include "corpus/reader.h"
#include "text/front_end.h"

namespace xtts::corpus {

// So many that are stuck one after the other, and nothing else: the disk does not answer.
inline constexpr int kMostStuckInARow = 4;

// What is done with each utterance of a corpus.
struct UtteranceVisit {
  // As AbandonableWork::work: it owns all that it touches, and its result is delivered by whoever
  // waits.
  std::function<base::Delivery(
      std::size_t index, const Utterance& utterance, const text::TextStages& stages)>
      work;
  // Its work does not end: a problem `stuck`. A result that comes all the same is delivered later.
  std::function<void(std::size_t index, Problem problem)> on_stuck;
  std::function<void(std::size_t)> on_done = {};  // called with 1, once for each utterance
  std::chrono::milliseconds patience = kReadTimeout;
};

// Encodes the text of every utterance and has it visited, on `num_workers` threads and in no
// promised order (0 or 1: one after the other). Texts are encoded and work is done in turns, so
// that progress is seen from the start and memory does not grow with the corpus. Deliveries,
// on_stuck and on_done are called on the caller's thread. Rethrows what the work throws; throws
// UserError if kMostStuckInARow are stuck while none ends, and base::Interrupted after a signal.
void for_each_utterance(const Corpus& corpus,
                        text::FrontEnd& front_end,
                        int num_workers,
                        const UtteranceVisit& visit);

}  // namespace xtts::corpus
