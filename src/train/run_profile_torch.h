#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/trace.h"
#include "rules/record.h"
#include "rules/suggestion.h"
#include "step/operator_times_torch.h"
#include "train/profile_answer.h"

namespace xtts::train {

// `train --profile N`: looks closely at N steps of a start after its first, which asks for the
// memory of all. Listening to LibTorch's operators costs these steps some of their time. Used from
// the thread that trains.
class RunProfile {
 public:
  // The trace goes to profile_trace.json in `run`, unless the whole run is traced already.
  // Commands that it advises have these words.
  RunProfile(int num_steps,
             std::filesystem::path run,
             bool has_own_trace,
             rules::SuggestionFlags suggestion_flags);

  void step_begins();
  // Every step that was asked for has ended.
  bool is_complete() const { return num_begun_ > num_steps_; }

  // Stops listening: what comes now is no step.
  void stop();

  // After stop(). `record` is of the run, whose newest steps are those that were looked at. Writes
  // profile.json and returns what is to be said. A disk that is full is said as well.
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

}  // namespace xtts::train
