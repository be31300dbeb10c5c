// How `train` and `demo` come to the configuration of a run.
#pragma once

#include <optional>

#include "checkpoint/checkpoint_store.h"
#include "config/resolve.h"

namespace xtts::cli {

// The configuration of a run that goes on is the one it was started with, under what `layers` give;
// a length that they give takes the place of the one the run had, and the run of a voice stands for
// the save of it that is used already. `layers.run_file` is set here.
// Throws UsageError as config::resolve() does.
config::Resolved resolve_run(config::Layers layers, bool reset_training);

// The voice that a vocoder learns from becomes one save: the newest good one, if a run is named.
// The one that a run has begun with may have been removed by its own run since then; that is said,
// and the newest takes its place. Returns it; absent: recordings alone are learned from. Throws
// UsageError if there is no such folder, UserError if no save is good.
std::optional<checkpoint::LoadedCheckpoint> choose_voice(config::DataConfig& data);

// The same, and throws UserError if it is not a voice that makes the mels of the configuration: it
// is told before the corpus is read.
void choose_voice_for(config::Config& config);

// Paths in the run's configuration hold wherever the next command is typed. Throws UsageError if
// the corpus or the file with sentences to judge by is not there.
void make_paths_absolute(config::Config& config);

}  // namespace xtts::cli
