#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "config/config.h"
#include "corpus/reader.h"
#include "rules/record.h"

namespace xtts::diagnose {

// What the stages between a recording and a row of a batch cost, each alone, on one thread.
struct StageTimes {
  std::int64_t num_measured = 0;  // utterances
  // read decode resample prepare mel text pad, in this order, seconds per utterance. Only reading
  // has a wall time of its own: what others wait for is a core, which is not their cost.
  std::vector<rules::Stage> stages = {};
  rules::Corpus corpus = {};  // of the sample: other rates, encoded and bad files, bytes, silences
  rules::Machine machine = {};  // of its disk: bytes per second, time to a first byte
};

// Calls what a worker of the loader calls (pipeline/recordings.cpp, pipeline/collator.cpp), in
// its order. Files are read as a training meets them after its first look at all: out of memory if
// the corpus takes less than half of what is free, else from the disk. The disk itself is measured
// in any case. Throws UserError if no utterance of the sample can be used.
StageTimes measure_stages(const corpus::Corpus& corpus,
                          const config::Config& config,
                          std::size_t most);

}  // namespace xtts::diagnose
