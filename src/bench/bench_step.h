// Implements `myxtts bench step`: the time of a training step for each shape setting.
#pragma once

#include <vector>

#include "bench/bench_mel.h"

namespace myxtts::bench {

struct BenchStepArgs {
  int steps = 6;   // per setting and round
  int rounds = 3;  // settings alternate; the median is reported
  int batch_size = 16;
  std::string model_size = "tiny";
  std::string precision = "auto";  // auto: fp32, and bf16 if the processor supports it
  bool operators = false;          // report the time share of each operator, default setting
  bool json = false;
};

// Measures frames per second, page faults and preparation time. Needs LibTorch.
std::vector<BenchResult> bench_step(const BenchStepArgs& args);

}  // namespace myxtts::bench
