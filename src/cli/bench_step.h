// What `myxtts bench step` measures: an update of training in each setting of its shapes.
#pragma once

#include <vector>

#include "cli/bench_mel.h"

namespace xtts::cli {

struct BenchStepArgs {
  int updates = 6;  // of each setting in a round
  int rounds = 3;   // the settings take turns; the median counts
  int batch_size = 16;
  std::string model_size = "tiny";
  std::string precision = "auto";  // auto: fp32, and bf16 where the processor has it
  bool operators = false;          // also what each operator takes of the default setting's updates
  bool json = false;
};

std::vector<BenchResult> bench_step(const BenchStepArgs& args);

}  // namespace xtts::cli
