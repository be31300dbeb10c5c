// Where a training starts: the mean mel frame of every symbol, found before the first step.
//
// A network that begins with chance has to learn sounds and their places at once, and spends its
// first minutes on wrong places. The flat start of speech recognisers finds the places in seconds:
// cut every utterance evenly, average the frames of each symbol, align by these averages, and
// again.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/features.h"
#include "pipeline/unreadable_utterances.h"

namespace xtts::model {

struct FlatStartSettings {
  std::int64_t num_symbols = 0;  // ids are below it
  float mel_mean = 0.0F;         // of all frames and channels
  float mel_std = 1.0F;
  int num_workers = 0;
};

// [num_symbols, C]: the mean normalised frame of each symbol, zeros for one that does not occur.
// The same whatever `num_workers` is. At most `kMostExamples` utterances are looked at, without
// those that can no longer be read. Throws UserError where too many are lost, and base::Interrupted
// after a signal.
std::vector<float> flat_start(const pipeline::FeatureSet& features,
                              const FlatStartSettings& settings,
                              pipeline::UnreadableUtterances& lost);

inline constexpr std::size_t kMostExamples = 1000;

}  // namespace xtts::model
