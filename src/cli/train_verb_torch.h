#pragma once

#include <string>

#include "train/request.h"
#include "train/summary.h"

namespace xtts::cli {

train::TrainSummary train_voice(train::TrainRequest request);
std::string describe_training(train::TrainRequest request);

}  // namespace xtts::cli
