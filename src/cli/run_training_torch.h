#pragma once

#include "train/format_run.h"
#include "train/request.h"
#include "train/summary.h"

namespace xtts::cli {

train::TrainSummary train_voice(train::TrainRequest request);
train::RunPreview describe_training(train::TrainRequest request);

}  // namespace xtts::cli
