// Provides configuration keys and short training runs for the `myxtts diagnose` subcommands.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "api/torch_commands.h"
#include "cli/config_args.h"
#include "config/resolve.h"
#include "diagnose/short_run.h"

namespace myxtts::cli {

inline constexpr int kMaxDiagnosedSteps = 1000;

// Return the configuration keys that affect shapes and steps, and those plus the loading keys.
std::vector<const char*> shape_flag_keys();
std::vector<const char*> loading_flag_keys();

// Resolves the configuration as `train` does without a run folder. Logs nothing, because the
// process may restart afterwards; log_warnings() logs the warnings.
config::Resolved resolve_for_runs(const ConfigArgs& args);
void log_warnings(const config::Resolved& resolved);

// Settings of a short training run.
struct ShortRunSettings {
  int num_steps = 10;
  std::size_t max_utterances = std::numeric_limits<std::size_t>::max();  // evenly sampled
  bool is_quiet = false;                                                 // no log output
};

// Trains in a temporary folder and removes it.
diagnose::ShortRun run_short_training(const api::TorchCommands& torch,
                                      const config::Resolved& resolved,
                                      const ShortRunSettings& settings);

// Trains as run_short_training() does, with as many mels in memory as fit, so that the model does
// not wait for data.
diagnose::ShortRun run_short_training_in_memory(const api::TorchCommands& torch,
                                                config::Resolved resolved,
                                                const ShortRunSettings& settings);

}  // namespace myxtts::cli
