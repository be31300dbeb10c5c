// Runs or previews a training run; part of libmyxtts_torch.so.
#pragma once

#include "train/format_run.h"
#include "train/request.h"
#include "train/summary.h"

namespace myxtts::cli {

// Chooses lanes and precision, then trains.
train::TrainSummary run_training(train::TrainRequest request);
// Returns the plan, size and memory of the run without training.
train::RunPreview preview_training(train::TrainRequest request);

}  // namespace myxtts::cli
