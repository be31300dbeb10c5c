// Flat start: computes the mean mel frame of every symbol before the first training step.
//
// A randomly initialised network has to learn the frames of symbols and their alignment at once,
// and spends its first minutes on wrong alignments. As in speech recognition, a flat start finds
// the alignment in seconds: it cuts every utterance evenly, averages the frames of each symbol,
// aligns by these means and repeats.
#pragma once

#include <cstdint>
#include <vector>

#include "data/features.h"
#include "data/unreadable_utterances.h"

namespace myxtts::model {

struct FlatStartSettings {
  std::int64_t num_symbols = 0;  // symbol ids are below it
  float mel_mean = 0.0F;         // over all frames and channels
  float mel_std = 1.0F;          // over all frames and channels
  int num_workers = 0;
};

// Returns the mean normalised frame of each symbol, [num_symbols, C], with zeros for a symbol that
// does not occur. The result does not depend on `num_workers`. Reads at most
// kMaxFlatStartUtterances utterances and adds those that fail to `unreadable`. Throws UserError if
// too many fail, and base::Interrupted after a signal.
std::vector<float> flat_start(const data::FeatureSet& features,
                              const FlatStartSettings& settings,
                              data::UnreadableUtterances& unreadable);

inline constexpr std::size_t kMaxFlatStartUtterances = 1000;

}  // namespace myxtts::model
