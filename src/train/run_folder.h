#pragma once

#include <filesystem>

#include "train/task.h"

namespace xtts::train {

// Moves the saves, metrics and event files of a run into RUN/before_reset_N, so that a new training
// can start in the folder. Nothing is deleted. Returns where they went; empty if there was nothing.
std::filesystem::path archive_run(const std::filesystem::path& run);

// True if the folder holds at least one save, good or not.
bool has_checkpoints(const std::filesystem::path& run);

// Throws UsageError if its newest save is of the other kind, or an exported one: it is told before
// the corpus is read.
// A save that cannot be read is left to who takes it over.
void require_run_of(const std::filesystem::path& run, Task trained);

}  // namespace xtts::train
