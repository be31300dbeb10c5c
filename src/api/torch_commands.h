// The functions of libmyxtts.so that the program calls. The program does not link this library,
// because loading LibTorch takes 0.2 s: it loads it for the commands that need tensors
// (cli/torch_library.h).
#pragma once

#include <vector>

#include "bench/bench_mel.h"
#include "bench/bench_speak.h"
#include "bench/bench_step.h"
#include "synthesis/speak_request.h"
#include "synthesis/vocode_request.h"
#include "train/format_run.h"
#include "train/request.h"
#include "train/summary.h"

namespace myxtts::api {

// A private interface: program and library must be of the same build. The functions throw
// exceptions as usual; the headers above document them.
struct TorchCommands {
  const char* version;  // of the library's build

  // Sets the threads of LibTorch for the commands below. A training sets its own.
  void (*set_num_threads)(int num_threads);

  std::vector<bench::BenchResult> (*bench_mel)(const bench::BenchMelArgs& args);
  std::vector<bench::BenchResult> (*bench_step)(const bench::BenchStepArgs& args);
  std::vector<bench::BenchResult> (*bench_speak)(const bench::BenchSpeakArgs& args);
  synthesis::SpeakResult (*speak)(const synthesis::SpeakRequest& request);
  std::vector<float> (*vocode)(const synthesis::VocodeRequest& request);
  train::TrainSummary (*train)(train::TrainRequest request);
  train::RunPreview (*preview_training)(train::TrainRequest request);
};

}  // namespace myxtts::api

// Exported by libmyxtts.so.
extern "C" const myxtts::api::TorchCommands* myxtts_torch_commands();
