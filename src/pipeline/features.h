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
  std::vector<std::string> speakers;     // sorted, each once; one entry "" when none is named
  std::vector<corpus::Problem> skipped;  // the others, in order, each with its reason

  std::vector<Lengths> lengths() const;
};

// Reads, decodes, prepares and encodes every utterance. The result does not depend on `num_workers`
// (0: inline). A text with more symbols than its mel has frames cannot be aligned and is skipped as
// `text_longer_than_mel`. `on_done(1)` once per utterance, never from two threads at once.
FeatureSet load_features(const corpus::Corpus& corpus,
                         const config::Config& config,
                         int num_workers,
                         const std::function<void(std::size_t)>& on_done = {});

}  // namespace xtts::pipeline
