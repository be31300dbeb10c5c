// The demo corpus: recordings that anybody can make in a minute, without downloading anything.
//
//   DIR/train/metadata.csv   id|text|normalized (one voice: LJSpeech)
//                            or file|voice|text (several: Piper)
//   DIR/train/wavs/*.wav
//   DIR/val/...              the same
//   DIR/made.jsonl           what each recording was made from, and its SHA-256
//
// All of it is a function of the request (without the number of workers) and of the version of the
// speaking program. made.jsonl grows by one line per recording while the work goes on and is
// rewritten in order at the end, so a run that was interrupted continues where it was.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "corpus/demo_plan.h"

namespace xtts::corpus {

struct DemoResult {
  std::size_t made = 0;
  std::size_t kept = 0;     // were there already, made from the same text by the same voice
  std::size_t removed = 0;  // recordings of an earlier request that this one does not have
  double seconds = 0.0;     // of speech, all of it
};

// Makes what is missing or damaged. `on_done(1)` is called once per utterance, from any worker.
// Throws UsageError if `out` holds something else, UserError if another run is at work in `out`, or
// speaking or writing fails.
DemoResult write_demo_corpus(const DemoRequest& request,
                             const std::vector<DemoUtterance>& utterances,
                             const std::function<void(std::size_t)>& on_done = {});

}  // namespace xtts::corpus
