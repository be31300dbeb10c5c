// What `myxtts bench loader` measures: a corpus on disk to padded batches, by every way there is.
#pragma once

#include <string>
#include <vector>

#include "cli/bench_mel.h"

namespace xtts::cli {

struct BenchLoaderArgs {
  std::string train_data{};  // a corpus; empty: as for `train`
  int batch_size = 16;
  int num_workers = 0;  // 0: as many as the program may use cores
  int rounds = 3;       // the ways take turns; the median counts
  bool json = false;
};

// Seconds of sound that arrive in batches per second ("x real time"):
//   loader_inline        files, by the thread that asks: the plain twin of the next
//   loader_files         files, by workers; neither trimmed nor brought to loudness, as peers do
//   loader_prepared      the same with both, which are the defaults; so are those that follow
//   loader_voices        and with a clip of another recording in each row, as a training has
//   loader_first_epoch   files, and their mels into an empty cache on disk
//   loader_second_epoch  out of that cache
//   loader_memory        mels in memory
// and the ratios of the second epoch to the first and to loader_prepared. Files are in the page
// cache: all were read before. Throws as `train` does for a corpus that cannot be used, UserError
// where not one batch can be filled.
std::vector<BenchResult> bench_loader(const BenchLoaderArgs& args);

}  // namespace xtts::cli
