#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/record.h"

namespace myxtts::rules {

// Computes how many loader workers a run needs and whether the model is starved of data.

// The share of one stage in the loading time of one worker.
struct StageShare {
  std::string name;
  double share = 0.0;          // of the wall time of all stages, 0..1
  double waiting_share = 0.0;  // of the stage's wall time, not computing
};

// Returns the stages, the longest first; empty if they were not measured.
std::vector<StageShare> stage_shares(const Loading& loading);
double share_of_stage(const Loading& loading, std::string_view name);  // 0: not measured

// The loading time of one batch compared with the model's step.
struct LoadingNeed {
  // Wall time of one batch on one worker; absent: not measured.
  std::optional<double> batch_s = {};
  // CPU time of one batch; the rest of the wall time is waiting for a disk, shared by all workers.
  std::optional<double> batch_cpu_s = {};
  std::optional<double> step_s = {};      // median step
  std::optional<double> wait_share = {};  // of the model's time, waiting with an empty buffer
  std::optional<double> preparation_share = {};  // of the whole planned run

  // Returns the workers that would keep the model busy: loading time of a batch / step time.
  std::optional<std::int64_t> workers_needed() const;
};

LoadingNeed loading_need_of(const Record& record);

// Returns true if other programs keep a quarter of the cores busy and the model waits for a loader
// that would be fast enough without them, as far as is known.
bool is_starved_by_others(const Record& record);

// Returns true if the model waits for data more than 5 % of its time. If no wait was measured, it
// is computed from the loading time of a batch and the step time.
bool waits_for_data(const Record& record);

// Returns true if the model waits for data, not because of other programs, or if reading before
// step 1 takes much of the run.
bool is_starved(const Record& record);
// Returns true if the model is starved for a large part of the run.
bool is_badly_starved(const Record& record);

}  // namespace myxtts::rules
