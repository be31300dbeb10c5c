// The verbs that need tensors live in libmyxtts_torch.so beside the program. Loading LibTorch takes
// a fifth of a second and its threads are configured by the environment at that moment, so the
// program itself is linked without it and loads it when such a verb runs.
#pragma once

#include <string>
#include <vector>

#include "cli/bench_mel.h"
#include "cli/bench_speak.h"
#include "cli/bench_step.h"
#include "cli/speak_verb.h"
#include "cli/vocode_verb.h"
#include "train/format_run.h"
#include "train/request.h"
#include "train/summary.h"

namespace xtts::cli {

// What the library offers. Errors are thrown through it as everywhere.
struct TensorVerbs {
  const char* version;  // of the build the library belongs to

  // What bench_our_mels() gives, and mel_libtorch ("x real time") with its ratios and its largest
  // difference from the plain one.
  std::vector<BenchResult> (*bench_mel)(const BenchMelArgs& args);

  // See cli/bench_step.h.
  std::vector<BenchResult> (*bench_step)(const BenchStepArgs& args);

  // See cli/bench_speak.h.
  std::vector<BenchResult> (*bench_speak)(const BenchSpeakArgs& args);

  SpeakAnswer (*speak)(const SpeakRequest& request);           // cli/speak_verb.h
  std::vector<float> (*vocode)(const VocodeRequest& request);  // cli/vocode_verb.h

  // Trains a voice, or only says what that would be. The choice of precision is made here.
  train::TrainSummary (*train)(train::TrainRequest request);
  train::RunPreview (*describe_training)(train::TrainRequest request);
};

// False in a build without LibTorch.
bool has_tensor_verbs();

// Loads the library. OpenMP reads its settings when its library loads, which is before main(): if
// they are not in the environment yet, this puts them there and starts the program anew with the
// same arguments, so call it before anything is printed or read. What the person has set stays.
// Throws UserError if the library is missing or from another build.
const TensorVerbs& tensor_verbs(int num_threads);

// Starts the program anew with the same arguments and one more variable in its environment; does
// nothing if the variable is there already.
void start_anew_with(const char* variable, const char* value);

}  // namespace xtts::cli

// What libmyxtts_torch.so exports.
extern "C" const xtts::cli::TensorVerbs* myxtts_tensor_verbs();
