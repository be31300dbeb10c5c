#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "config/config.h"
#include "pipeline/lanes.h"
#include "pipeline/prefetcher.h"
#include "pipeline/shape_plan.h"
#include "rules/record.h"
#include "train/corpora.h"
#include "train/memory_budget.h"

namespace xtts::train {

// What a run knows of itself when it ends.
struct RunMeasured {
  const config::Config& config;  // resolved: no "auto" but those that the lanes decide
  const pipeline::LanePlan& lanes;
  const pipeline::ShapePlan& plan;
  const Corpora& corpora;
  const MemoryNeed& memory;       // worked out before step 1
  pipeline::PrefetchReport data;  // of this start
  std::deque<rules::Step> steps;
  std::int64_t num_parameters = 0;
  std::optional<double> load_by_others = {};  // base::CoreLoad, over this start
  std::optional<double> product_speed = {};   // train/product_speed_torch.h; absent on a GPU
  std::optional<bool> bf16_works = {};        // where the processor has it; absent: not tried
  std::optional<double> bf16_gain = {};       // step/precision_torch.h; absent: not measured
};

// The record that the rules of rules/ judge: the run's settings, its machine, its corpus, the
// cost of loading, its last steps. What a run does not measure (disk, stages) is absent. Looks at
// the machine's memory as it is now.
rules::Record run_record(const RunMeasured& run);

}  // namespace xtts::train
