// Runs a function for every utterance of a corpus on several threads, with its encoded text.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

#include "base/parallel_for_with_timeout.h"
#include "corpus/load_recording.h"
#include "corpus/reader.h"
#include "text/front_end.h"

namespace myxtts::corpus {

// After this many consecutive timeouts the disk counts as not responding.
inline constexpr int kMaxConsecutiveTimeouts = 4;

// The callbacks of for_each_utterance().
struct UtteranceVisit {
  // Runs on a worker like AbandonableWork::work: owns everything it uses. The returned completion
  // runs on the caller's thread.
  std::function<base::Completion(
      std::size_t index, const Utterance& utterance, const text::TextStages& stages)>
      work;
  // Called with a problem `stuck` if the work times out. A late completion may still run
  // afterwards.
  std::function<void(std::size_t index, Problem problem)> on_timeout;
  std::function<void(std::size_t)> on_done = {};  // called with 1, once per utterance
  std::chrono::milliseconds timeout = kReadTimeout;
};

// Encodes the text of every utterance and calls `visit.work` for it, on `num_workers` threads in
// unspecified order (0 or 1: sequentially). Processes the corpus in chunks, so that progress shows
// early and memory does not grow with the corpus. Completions, on_timeout and on_done run on the
// caller's thread. Rethrows exceptions of the work. Throws UserError after kMaxConsecutiveTimeouts
// timeouts without a finished utterance, and base::Interrupted after a signal.
void for_each_utterance(const Corpus& corpus,
                        text::FrontEnd& front_end,
                        int num_workers,
                        const UtteranceVisit& visit);

}  // namespace myxtts::corpus
