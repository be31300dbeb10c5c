#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/trace.h"
#include "rules/record.h"
#include "rules/suggestion.h"
#include "step/operator_times_torch.h"
#include "train/profile_result.h"

namespace myxtts::train {

// Profiles N steps of a run (`train --profile N`), after the first step, which allocates memory.
//
// Observing LibTorch's operators slows these steps down slightly. Call it from the model thread.
class RunProfile {
 public:
  // Writes the trace to profile_trace.json in `run`, unless the whole run is traced already.
  // `suggestion_flags` complete the commands in suggestions.
  RunProfile(int num_steps,
             std::filesystem::path run,
             bool has_own_trace,
             rules::SuggestionFlags suggestion_flags);

  void begin_step();
  // Returns true if all N steps have ended.
  bool is_complete() const { return num_begun_ > num_steps_; }

  // Stops observing. Call it between steps.
  void stop();

  // Call after stop(). The last steps of `record` are the profiled ones. Writes profile.json and
  // returns the text to log, which includes a write error.
  std::string finish(rules::Record record);

 private:
  const std::int64_t num_steps_;
  const std::filesystem::path run_;
  const bool has_own_trace_;
  const rules::SuggestionFlags suggestion_flags_;
  std::int64_t num_begun_ = 0;
  std::optional<base::TraceFile> trace_;
  std::optional<step::OperatorTimes> operators_;
  ProfiledSteps profile_;
};

}  // namespace myxtts::train
