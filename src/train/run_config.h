// Resolves the configuration of a new or resumed run for `train` and `demo`.
#pragma once

#include <optional>

#include "checkpoint/checkpoint_store.h"
#include "config/resolve.h"

namespace myxtts::train {

// Resolves the configuration. A resumed run keeps the configuration it was started with; `layers`
// override it. A given run length replaces the old one. data.mels_from of the same voice keeps its
// recorded checkpoint. Sets `layers.run_file`. Throws UsageError as config::resolve() does.
config::Resolved resolve_run(config::Layers layers, bool reset_training);

// Sets data.mels_from to one checkpoint: the newest intact one if it names a run. If a recorded
// checkpoint no longer exists, logs a warning and uses the newest of its run. Returns the
// checkpoint, or nullopt without data.mels_from. Throws UsageError if the folder does not exist,
// UserError if no checkpoint is intact.
std::optional<checkpoint::LoadedCheckpoint> select_mels_checkpoint(config::DataConfig& data);

// Selects the checkpoint as select_mels_checkpoint() does. Throws UserError if it is not a voice
// with the mel spec of the configuration.
void select_mels_checkpoint_for(config::Config& config);

// Makes the paths of the configuration absolute, so that a run resumes from any folder. Throws
// UsageError if the corpus or the evaluation text does not exist.
void make_paths_absolute(config::Config& config);

}  // namespace myxtts::train
