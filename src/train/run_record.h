#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "config/config.h"
#include "data/lanes.h"
#include "data/prefetcher.h"
#include "data/shape_plan.h"
#include "rules/record.h"
#include "train/corpora.h"
#include "train/memory_budget.h"

namespace myxtts::train {

// Builds the diagnosis record of a training run.

// The measurements of a run at its end.
struct RunMeasurements {
  const config::Config& config;  // resolved: no "auto" except for lane settings
  const data::LanePlan& lanes;
  const data::ShapePlan& plan;
  const Corpora& corpora;
  const MemoryNeed& memory;   // computed before step 1
  data::PrefetchReport data;  // of this start
  std::deque<rules::Step> steps;
  std::int64_t num_parameters = 0;
  std::optional<double> load_by_others = {};  // base::CoreLoad, over this start
  std::optional<double> matmul_speed = {};    // train/matmul_speed_torch.h; absent on a GPU
  std::optional<bool> bf16_works = {};        // absent: the processor lacks it
  std::optional<double> bf16_gain = {};       // step/precision_torch.h; absent: not measured
};

// Returns the record for the rules (rules/): settings, machine, corpus, cost of loading and last
// steps. Values that a run does not measure (disk, stages) are absent. Reads the current memory
// use.
rules::Record run_record(const RunMeasurements& run);

}  // namespace myxtts::train
