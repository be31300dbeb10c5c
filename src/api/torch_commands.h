// Loads libmyxtts_torch.so, which implements the commands that need LibTorch. Loading LibTorch
// takes 0.2 s, and the environment at that moment configures its threads. Therefore the program
// does not link LibTorch and loads the library only for such commands.
#pragma once

#include <string>
#include <vector>

#include "cli/bench_mel.h"
#include "cli/bench_speak.h"
#include "cli/bench_step.h"
#include "cli/speak_request.h"
#include "cli/vocode_request.h"
#include "train/format_run.h"
#include "train/request.h"
#include "train/summary.h"

namespace myxtts::cli {

// Functions of the library. They throw exceptions as usual.
struct TorchCommands {
  const char* version;  // of the library's build

  // Returns the results of bench_mel_extractors(), and mel_libtorch ("x real time") with its ratios
  // and its largest difference from the reference.
  std::vector<BenchResult> (*bench_mel)(const BenchMelArgs& args);

  // See cli/bench_step.h.
  std::vector<BenchResult> (*bench_step)(const BenchStepArgs& args);

  // See cli/bench_speak.h.
  std::vector<BenchResult> (*bench_speak)(const BenchSpeakArgs& args);

  SpeakResult (*speak)(const SpeakRequest& request);           // cli/speak_request.h
  std::vector<float> (*vocode)(const VocodeRequest& request);  // cli/vocode_request.h

  // Train a model or preview the run (cli/run_training_torch.h). Both choose the precision.
  train::TrainSummary (*train)(train::TrainRequest request);
  train::RunPreview (*preview_training)(train::TrainRequest request);
};

// Returns false in a build without LibTorch.
bool has_torch_commands();

// Loads the library. OpenMP reads its settings from the environment when it is loaded, before
// main(). If they are missing, sets them and restarts the process with the same arguments; call
// this before anything is printed or read. Variables set by the user are kept. Throws UserError if
// the library is missing or of another build.
const TorchCommands& torch_commands(int num_threads);

// Restarts the process with the same arguments and one more environment variable. Does nothing if
// the variable is already set.
void restart_with(const char* variable, const char* value);

}  // namespace myxtts::cli

// Exported by libmyxtts_torch.so.
extern "C" const myxtts::cli::TorchCommands* myxtts_torch_commands();
