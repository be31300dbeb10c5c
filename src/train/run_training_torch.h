// Runs or previews a training run.
#pragma once

#include "train/format_run.h"
#include "train/request.h"
#include "train/summary.h"

namespace myxtts::train {

// Chooses lanes and precision, then trains.
TrainSummary run_training(TrainRequest request);
// Returns the plan, size and memory of the run without training.
RunPreview preview_training(TrainRequest request);

}  // namespace myxtts::train
