#pragma once

#include "train/request.h"
#include "train/run_lanes_torch.h"
#include "train/summary.h"

namespace xtts::train {

// Trains until an end of the configuration is reached, resuming by itself when the run folder has
// saves. Says what it does on standard error and in RUN/log.txt. Throws UsageError, UserError, and
// base::Interrupted once the state is saved after a signal.
TrainSummary train(const TrainRequest& request);
// The same on lanes that find_lanes() has given.
TrainSummary train(const TrainRequest& request, RunLanes lanes);

}  // namespace xtts::train
