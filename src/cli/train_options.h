// What `train` and `train-vocoder` have in common: all but their examples and the keys they name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/config_args.h"
#include "train/task.h"

namespace CLI {
class App;
}

namespace xtts::cli {

struct TrainArgs {
  train::Task trained = train::Task::kVoice;
  ConfigArgs config;
  bool reset_training = false;
  bool dry_run = false;
  bool resume = false;
  bool json = false;
  std::string trace;
  int profile = 0;
};

// The words of a `speak` that lets it be heard.
std::vector<std::string> speaking_words(const std::string& run_or_save,
                                        train::Task trained,
                                        const std::string& out);

// Gives a verb the flags of a training that are no keys of the configuration, and what it does.
void add_training(CLI::App& command, const std::shared_ptr<TrainArgs>& args);

}  // namespace xtts::cli
