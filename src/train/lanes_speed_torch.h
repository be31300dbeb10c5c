#pragma once

#include "config/training_config.h"
#include "pipeline/lanes.h"
#include "pipeline/signature.h"
#include "step/prepare_torch.h"
#include "train/run_parts_torch.h"

namespace xtts::train {

// How fast the model trains on the cores of its lane, as a share of what it would on those of both:
// measured by a step of a few rows, some seconds, before the loader starts. 0 unless there are two
// lanes and both are on the CPU. Changes gradients alone.
double measure_lanes_speed(RunParts& parts,
                           const config::TrainingConfig& training,
                           const pipeline::Signature& signature,
                           const step::BatchFacts& facts,
                           const pipeline::LanePlan& lanes);

}  // namespace xtts::train
