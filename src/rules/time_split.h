#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rules/record.h"

namespace myxtts::rules {

// Splits the time of training steps into compute, copy, wait and host time, in seconds. A part that
// was not measured counts as 0.
struct TimeSplit {
  std::int64_t steps = 0;
  double compute_s = 0.0;  // the model, without copies
  double copy_s = 0.0;
  double wait_s = 0.0;    // for data
  double host_s = 0.0;    // reports, validations, checkpoints
  bool has_wait = false;  // a step has a measured wait
  bool has_host = false;

  double total_s() const { return compute_s + copy_s + wait_s + host_s; }
  double share_of(double part_s) const { return total_s() > 0.0 ? part_s / total_s() : 0.0; }
  // Returns the share of compute, copy and wait time, without host time.
  double share_of_wanted(double part_s) const;
};

TimeSplit split_of(std::span<const Step> steps);

// Returns the seconds that the model waited while no batch was ready. A wait with a ready batch is
// a wait for a core, not for data. The steps may be the last ones of a longer run: the buffer depth
// before the first step is taken to be the depth after it.
double starved_s(std::span<const Step> steps);

// Returns the median step time without copies. Absent without steps.
std::optional<double> median_step_s(std::span<const Step> steps);
// Returns the median time between steps; validations and checkpoints do not affect it.
std::optional<double> median_host_s(std::span<const Step> steps);

// Returns the median; the mean of the two middle values for an even count. `values` is not empty.
double median_of(std::vector<double> values);

// Returns the seconds that steps with retraces took beyond the median step. Absent without
// retraces.
std::optional<double> retrace_cost_s(std::span<const Step> steps);
std::int64_t num_retraces(std::span<const Step> steps);

}  // namespace myxtts::rules
