#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "config/config.h"
#include "corpus/reader.h"
#include "rules/record.h"

namespace myxtts::diagnose {

// Measures each loading stage, from a recording to a batch row, alone and on one thread.
struct StageTimes {
  std::int64_t num_measured = 0;  // utterances
  // read decode resample prepare mel text pad, in this order, seconds per utterance. Only reading
  // has a separate wall time: the other stages wait only for a core, which is not their cost.
  std::vector<rules::Stage> stages = {};
  rules::CorpusStats corpus =
      {};  // sample rates, encoded and bad files, bytes, silences of the sample
  rules::Machine machine = {};  // disk throughput and latency
};

// Makes the calls of a loader worker (data/recordings.cpp, data/collator.cpp) in the same
// order, on at most `max_utterances` utterances. Files come from the page cache if the corpus takes
// less than half of the free memory, as after the first pass of a training run, else from disk.
// Always measures the disk too. Throws UserError if no utterance of the sample is usable.
StageTimes measure_stages(const corpus::Corpus& corpus,
                          const config::Config& config,
                          std::size_t max_utterances);

}  // namespace myxtts::diagnose
