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

namespace myxtts::train {

// A finished step, for a progress callback.
struct StepProgress {
  std::int64_t step = 0;         // of the run
  std::int64_t total_steps = 0;  // length of the schedule; 0: not known yet
  double loss = 0.0;             // not finite if the step was skipped
  double learning_rate = 0.0;
  double step_s = 0.0;
};

// The request of a training run: configuration, task and options of `myxtts train`.
struct TrainRequest {
  config::Resolved resolved;  // of a vocoder: for_vocoder()
  Task task = Task::kVoice;
  bool reset_training = false;  // archive old checkpoints and start at step 0
  // A run that is only measured: no checkpoint or validation at the end, and the buffer starts
  // empty.
  bool is_trial = false;
  std::size_t max_utterances = std::numeric_limits<std::size_t>::max();  // evenly sampled
  bool is_quiet = false;   // logs to log.txt only, not to the terminal
  int profiled_steps = 0;  // steps to profile (train/run_profile_torch.h); 0: none
  rules::SuggestionFlags suggestion_flags = {};  // for commands in suggestions of the profile
  std::string trace_file = {};                   // trace for Perfetto; empty: none
  // Device of the captured step; unset: the run's CUDA device, and no captured step on the CPU.
  std::function<std::unique_ptr<step::GraphDevice>()> open_graph_device = {};
  // Called after each step, on the model thread.
  std::function<void(const StepProgress&)> on_step = {};
  // Asked before each step, on the model thread. True ends the run with a checkpoint.
  std::function<bool()> should_stop = {};
  // Called with the step number before each step, on the model thread. Tests inject faults of the
  // model lane with it.
  std::function<void(std::int64_t)> before_step = {};
};

}  // namespace myxtts::train
