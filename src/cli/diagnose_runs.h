// What the subcommands of `myxtts diagnose` share: their settings, and short trainings.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "cli/config_args.h"
#include "cli/tensor_library.h"
#include "config/resolve.h"
#include "diagnose/short_run.h"

namespace xtts::cli {

inline constexpr int kMostDiagnosedSteps = 1000;

// Keys of the configuration that decide over shapes and steps, and those over loading as well.
std::vector<const char*> shape_flag_keys();
std::vector<const char*> loading_flag_keys();

// As `train` does without a run: nothing is said before the program has started anew.
config::Resolved resolve_for_runs(const ConfigArgs& args);
void say_warnings(const config::Resolved& resolved);

// Of a short training.
struct ShortSettings {
  int num_steps = 10;
  std::size_t most_utterances = std::numeric_limits<std::size_t>::max();  // an even sample of them
  bool is_quiet = false;                                                  // says nothing
};

// Trains in a temporary folder, which is removed again.
diagnose::ShortRun train_shortly(const TensorVerbs& verbs,
                                 const config::Resolved& resolved,
                                 const ShortSettings& settings);

// The same with all mels in memory as far as they fit: what the model does when nothing is to be
// waited for.
diagnose::ShortRun train_shortly_from_memory(const TensorVerbs& verbs,
                                             config::Resolved resolved,
                                             const ShortSettings& settings);

}  // namespace xtts::cli
