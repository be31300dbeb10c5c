// Implements `myxtts bench loader`: the time from a corpus on disk to padded batches.
#pragma once

#include <string>
#include <vector>

#include "bench/bench_mel.h"

namespace myxtts::bench {

struct BenchLoaderArgs {
  std::string train_data{};  // corpus folder; empty: as for `train`
  int batch_size = 16;
  int num_workers = 0;  // 0: one per usable core
  int rounds = 3;       // variants alternate; the median is reported
  bool json = false;
};

// Measures seconds of audio loaded into batches per second ("x real time"):
//   loader_inline        from files on the calling thread: the reference of loader_files
//   loader_files         from files by workers, without trimming and loudness, as peers do
//   loader_prepared      from files with trimming and loudness (default, also below)
//   loader_voices        loader_prepared with a reference clip per row, as in training
//   loader_first_epoch   from files, writing the mels into an empty disk cache
//   loader_second_epoch  from that disk cache
//   loader_memory        from mels in memory
// Also reports the ratios of the second epoch to the first and to loader_prepared. All files are in
// the page cache. Throws as `train` does for an unusable corpus, and UserError if the corpus fills
// no batch.
std::vector<BenchResult> bench_loader(const BenchLoaderArgs& args);

}  // namespace myxtts::bench
