#pragma once

#include <cstdint>
#include <vector>

#include "config/config.h"
#include "corpus/reader.h"

namespace myxtts::diagnose {

// Measures the data loader alone: all stages and workers, without training.
struct LoaderTimes {
  int num_workers = 0;
  std::vector<double> batch_s = {};  // time between consecutive batches
  double busy_s = 0.0;               // CPU time of all workers
  double audio_s_per_s = 0.0;        // seconds of audio per second of wall time
  double reading_s = 0.0;            // reading the corpus once, as before step 1
  std::int64_t num_utterances = 0;   // in the sample that was read
};

// Loads `num_batches` batches from the files, without a cache, with the configured number of
// workers. Uses a sample of a larger corpus. Throws UserError if the corpus does not fill one
// batch.
LoaderTimes measure_loader(const corpus::Corpus& corpus,
                           const config::Config& config,
                           int num_batches);

}  // namespace myxtts::diagnose
