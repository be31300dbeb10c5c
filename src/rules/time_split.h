#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rules/record.h"

namespace xtts::rules {

// Where the time of some updates went, in seconds. Parts that were not measured count as none.
struct TimeSplit {
  std::int64_t steps = 0;
  double compute_s = 0.0;  // the model at work, without copies
  double copy_s = 0.0;
  double wait_s = 0.0;    // for data
  double host_s = 0.0;    // reports, validations, saves
  bool has_wait = false;  // some update knew how long it waited
  bool has_host = false;

  double total_s() const { return compute_s + copy_s + wait_s + host_s; }
  double share_of(double part_s) const { return total_s() > 0.0 ? part_s / total_s() : 0.0; }
  // Of the time in which the model wants data, without what the host takes.
  double share_of_wanted(double part_s) const;
};

TimeSplit split_of(std::span<const Step> steps);

// Seconds that the model waited while no update was ready. Where one was, it did not wait for data:
// somebody else had its core. The steps may be the last ones of a longer run: what was ready before
// the first of them is taken to be what was ready after it.
double starved_s(std::span<const Step> steps);

// The usual time of a step, without copies: their median. Absent without steps.
std::optional<double> usual_step_s(std::span<const Step> steps);
// The usual time between steps: the median, so that validations and saves count for nothing.
std::optional<double> usual_host_s(std::span<const Step> steps);

// The usual one of the two in the middle where there is an even number. `values` not empty.
double median_of(std::vector<double> values);

// What retraces cost beyond the usual step, in seconds. Absent where none was counted.
std::optional<double> retrace_cost_s(std::span<const Step> steps);
std::int64_t num_retraces(std::span<const Step> steps);

}  // namespace xtts::rules
