// How `train` and `demo` come to the configuration of a run.
#pragma once

#include "config/resolve.h"

namespace xtts::cli {

// The configuration of a run that goes on is the one it was started with, under what `layers` give;
// a length that they give takes the place of the one the run had, and the run of a voice stands for
// the save of it that is used already. `layers.run_file` is set here.
// Throws UsageError as config::resolve() does.
config::Resolved resolve_run(config::Layers layers, bool reset_training);

// Paths in the run's configuration hold wherever the next command is typed, and that of a voice
// names its newest good save. Throws UsageError if the corpus, the run of a voice or the file with
// sentences to judge by is not there, UserError if the voice has no good save.
void make_paths_absolute(config::Config& config);

}  // namespace xtts::cli
