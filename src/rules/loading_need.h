#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/record.h"

namespace xtts::rules {

// The share of loading's time on one worker that one stage takes.
struct StageShare {
  std::string name;
  double share = 0.0;        // of the wall time of all stages, 0..1
  double waits_share = 0.0;  // of that stage's own time, what it does not compute
};

// The stages, the longest first; none if they were not measured.
std::vector<StageShare> stage_shares(const Loading& loading);
double share_of_stage(const Loading& loading, std::string_view name);  // 0: not measured

// What loading has to do for the model.
struct LoadingNeed {
  // One update on one worker; absent: not measured.
  std::optional<double> update_s = {};
  // Of it, what a processor computes; the rest is waiting for a disk, which more threads share.
  std::optional<double> update_cpu_s = {};
  std::optional<double> step_s = {};             // the model's usual step
  std::optional<double> wait_share = {};         // of the model's time, with nothing ready
  std::optional<double> preparation_share = {};  // of the whole planned run

  // Workers that would keep the model busy, computed: loading of one update over its step.
  std::optional<std::int64_t> workers_needed() const;
};

LoadingNeed loading_need_of(const Record& record);

// Other programs keep a quarter of the cores busy, so that the model waits for a loader which would
// be fast enough without them, as far as is known.
bool is_starved_by_others(const Record& record);

// The model waits for data more than 5 % of its time. Where no wait was measured it is computed:
// loading an update takes longer than its step.
bool waits_for_data(const Record& record);

// The model waits for data and other programs are not to blame, or the run spends much of its time
// on reading before step 1.
bool is_starved(const Record& record);
// So much that most of the time is lost.
bool is_starved_badly(const Record& record);

}  // namespace xtts::rules
