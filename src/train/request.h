#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "config/resolve.h"
#include "rules/suggestion.h"
#include "step/graph_device.h"
#include "train/task.h"

namespace xtts::train {

// Everything a training is asked for.
struct TrainRequest {
  config::Resolved resolved;  // of a vocoder: for_vocoder()
  Task trained = Task::kVoice;
  bool reset_training = false;  // move old saves aside and start at step 0
  // Measured and thrown away: nothing is saved or validated at the end, and the buffer begins
  // empty.
  bool is_trial = false;
  std::size_t most_utterances = std::numeric_limits<std::size_t>::max();  // an even sample of them
  bool is_quiet = false;   // says nothing on the terminal; log.txt has it
  int profiled_steps = 0;  // of this start, looked at closely (train/run_profile_torch.h); 0: none
  rules::SuggestionFlags suggestion_flags = {};  // for commands that a profile advises
  std::string trace_file = {};  // where the time went, for Perfetto; empty: not recorded
  // Where a captured step captures; unset: the run's CUDA device, and no captured step on the CPU.
  std::function<std::unique_ptr<step::GraphDevice>()> open_graph_device = {};
  // Called with its number before each update is computed, by the thread that does it: the seam
  // for faults of the model's lane.
  std::function<void(std::int64_t)> before_step = {};
};

}  // namespace xtts::train
