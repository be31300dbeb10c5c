// Creates a demo corpus with flite or espeak-ng, without a download.
//
//   DIR/train/metadata.csv   id|text|normalized (one voice: LJSpeech)
//                            or file|voice|text (several: Piper)
//   DIR/train/wavs/*.wav
//   DIR/val/...              same layout
//   DIR/manifest.jsonl           hash of the source and of the bytes of each recording
//
// The content depends only on the request (except the number of workers) and on the version of the
// speech program. manifest.jsonl gets one line per recording and is rewritten in order at the end,
// so that an interrupted run resumes.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "corpus/demo_plan.h"

namespace myxtts::corpus {

struct DemoResult {
  std::size_t created = 0;
  std::size_t kept = 0;     // existing recordings of the same text and voice
  std::size_t removed = 0;  // recordings of an earlier request
  double seconds = 0.0;     // total duration of the recordings
};

// Creates missing and damaged recordings. Calls `on_done(1)` once per utterance, from any worker.
// Throws UsageError if `out` is not a demo corpus, UserError if another run is using `out` or if
// synthesis or writing fails.
DemoResult write_demo_corpus(const DemoRequest& request,
                             const std::vector<DemoUtterance>& utterances,
                             const std::function<void(std::size_t)>& on_done = {});

}  // namespace myxtts::corpus
