#pragma once

#include <filesystem>

#include "train/task.h"

namespace myxtts::train {

// Checks and archives run folders.

// Moves checkpoints, metrics and event files of a run to RUN/before_reset_N, so that a new training
// can start in the folder. Deletes nothing. Returns the new folder; empty if there was nothing.
std::filesystem::path archive_run(const std::filesystem::path& run);

// Returns true if the folder has at least one checkpoint, valid or not.
bool has_checkpoints(const std::filesystem::path& run);

// Throws UsageError if the newest checkpoint belongs to another task or is an exported model.
// Called before the corpus is read. Ignores an unreadable checkpoint; resuming reports it.
void require_run_kind(const std::filesystem::path& run, Task task);

}  // namespace myxtts::train
