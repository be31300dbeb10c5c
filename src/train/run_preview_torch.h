#pragma once

#include "config/config.h"
#include "data/collator.h"
#include "data/lanes.h"
#include "train/data_loader.h"
#include "train/format_run.h"
#include "train/run_parts_torch.h"

namespace myxtts::train {

// Measures the memory of a run, sets the byte limit of its buffer, and returns its description.
//
// `pending_bytes` is memory that the run will need but has not allocated yet. Borrows its
// arguments.
RunDescription measure_run(const config::Config& config,
                           const Corpora& corpora,
                           const data::ShapePlan& plan,
                           const data::LoaderSettings& loading,
                           RunParts& parts,
                           DataLoader& data,
                           double pending_bytes = 0.0);

// Returns parameters, memory and work of a training run on these lanes, without training. Writes no
// file.
RunPreview preview_run(const config::Config& requested,
                       const data::LanePlan& lanes,
                       Task task = Task::kVoice);

}  // namespace myxtts::train
