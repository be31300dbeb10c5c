#pragma once

#include "config/training_config.h"
#include "data/lanes.h"
#include "data/signature.h"
#include "step/prepare_torch.h"
#include "train/run_parts_torch.h"

namespace myxtts::train {

// Measures the training speed on the cores of the model lane relative to the cores of both lanes,
// with steps of a few rows, in some seconds before the loader starts. Returns 0 unless there are
// two lanes and both are on the CPU. Changes only gradients.
double measure_lanes_speed(RunParts& parts,
                           const config::TrainingConfig& training,
                           const data::Signature& signature,
                           const step::BatchProperties& properties,
                           const data::LanePlan& lanes);

}  // namespace myxtts::train
