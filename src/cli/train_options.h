// Implements `train` and `train-vocoder`, which differ in examples and configuration keys.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/config_args.h"
#include "train/task.h"

namespace CLI {
class App;
}

namespace myxtts::cli {

struct TrainArgs {
  train::Task task = train::Task::kVoice;
  ConfigArgs config;
  bool reset_training = false;
  bool dry_run = false;
  bool resume = false;
  bool json = false;
  std::string trace;
  int profile = 0;
};

// Returns the arguments of a `speak` command that uses this run or checkpoint.
std::vector<std::string> speak_arguments(const std::string& run_or_checkpoint,
                                         train::Task task,
                                         const std::string& out);

// Adds the training flags that are not configuration keys, and the callback that trains.
void add_training_options(CLI::App& command, const std::shared_ptr<TrainArgs>& args);

}  // namespace myxtts::cli
