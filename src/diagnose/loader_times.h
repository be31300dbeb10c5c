#pragma once

#include <cstdint>
#include <vector>

#include "config/config.h"
#include "corpus/reader.h"

namespace xtts::diagnose {

// All stages together: the workers of a loader, with nobody who trains beside them.
struct LoaderTimes {
  int num_workers = 0;
  std::vector<double> batch_s = {};  // from one update to the next, as they come
  double busy_s = 0.0;               // of processor, all workers together
  double audio_s_per_s = 0.0;        // sound that arrived per second of wall time
  double reading_s = 0.0;            // the corpus once, as a training does before step 1
  std::int64_t num_utterances = 0;   // that were loaded for it; of all: see `corpus`
};

// `num_batches` updates out of the files, with no cache, by as many workers as the configuration
// gives a training. A corpus that has more utterances than they need is sampled. Throws UserError
// if it does not fill one update.
LoaderTimes measure_loader(const corpus::Corpus& corpus,
                           const config::Config& config,
                           int num_batches);

}  // namespace xtts::diagnose
