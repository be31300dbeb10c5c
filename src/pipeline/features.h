#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "audio/mel.h"
#include "config/config.h"
#include "corpus/reader.h"
#include "pipeline/signature.h"

namespace xtts::pipeline {

// One utterance as the model sees it.
struct Features {
  std::string id;
  std::string transcript;          // as the metadata has it
  std::size_t speaker = 0;         // index into FeatureSet::speakers
  std::vector<std::int64_t> text;  // [T] symbol ids
  audio::Mel mel;                  // [M, C] natural logarithm

  Lengths lengths() const { return {static_cast<std::int64_t>(text.size()), mel.num_frames}; }
};

// A corpus, computed once and kept in memory.
struct FeatureSet {
  std::vector<Features> utterances;      // the good ones, in the corpus's order
  std::vector<std::string> speakers;     // of the good ones, sorted, each once; "" is one: unnamed
  std::vector<corpus::Problem> skipped;  // the others, in order, each with its reason

  std::vector<Lengths> lengths() const;
};

// Reads, decodes, prepares and encodes every utterance, bit for bit the same whatever `num_workers`
// is (0: inline). What is skipped, and why, is what the check of the corpus says; among others a
// text with more symbols than its mel has frames, which cannot be aligned
// (`more_symbols_than_frames`). `on_done(1)` once per utterance, never from two threads at once.
// Throws UsageError for a mel contract or text settings that cannot be, UserError if the text front
// end cannot run at all.
FeatureSet load_features(const corpus::Corpus& corpus,
                         const config::Config& config,
                         int num_workers,
                         const std::function<void(std::size_t)>& on_done = {});

}  // namespace xtts::pipeline
