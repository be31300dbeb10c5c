#pragma once

#include "config/config.h"
#include "pipeline/collator.h"
#include "pipeline/lanes.h"
#include "train/data_loader.h"
#include "train/format_run.h"
#include "train/run_parts_torch.h"

namespace xtts::train {

// Measures what the run needs, with `coming_bytes` that it does not have yet, gives its buffer what
// is left of the memory, and puts together what is said of it. Borrows what it is given.
RunDescription measure_run(const config::Config& config,
                           const Corpora& corpora,
                           const pipeline::ShapePlan& plan,
                           const pipeline::LoaderSettings& loading,
                           RunParts& parts,
                           DataLoader& data,
                           double coming_bytes = 0.0);

// What a training on these lanes would be, with parameters, memory and work; writes nothing.
RunPreview describe_without_training(const config::Config& wanted,
                                     const pipeline::LanePlan& lanes,
                                     Task trained = Task::kVoice);

}  // namespace xtts::train
