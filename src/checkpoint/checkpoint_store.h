// The saves of a run: RUN/checkpoints/step_00001234/, each a folder that is complete or absent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "checkpoint/file_layer.h"
#include "checkpoint/safetensors.h"

namespace xtts::checkpoint {

// What a save is made of. Views must stay valid during CheckpointStore::write().
struct CheckpointContent {
  std::int64_t step = 0;
  std::vector<TensorView> model;    // model.safetensors: weights, and "ema." + name where averaged
  std::vector<TensorView> trainer;  // trainer.safetensors: optimiser state
  std::string config_json;  // config.json: everything that is not a tensor (see step/, train/)
};

// A save that was read back and verified.
struct LoadedCheckpoint {
  std::int64_t step = 0;
  std::filesystem::path folder;
  TensorFile model;
  TensorFile trainer;
  std::string config_json;
};

// A save that was looked at and is not good, with the reason in words.
struct DamagedCheckpoint {
  std::filesystem::path folder;
  std::string reason;
};

struct NewestGood {
  std::optional<LoadedCheckpoint> save;
  std::vector<DamagedCheckpoint> broken;  // newer ones that were passed over, newest first
};

struct CheckpointEntry {
  std::int64_t step = 0;
  std::filesystem::path folder;
};

// One folder of saves. Only one process writes (train holds the run's lock); any may read.
class CheckpointStore {
 public:
  // RUN/checkpoints; may not exist yet. `files` must outlive the store.
  explicit CheckpointStore(std::filesystem::path checkpoints, FileLayer& files = real_files());

  // Writes beside, syncs every file and the folder, renames once, syncs the parent; only then
  // returns. A step that is already there is verified; if it is good nothing is written, if it is
  // broken it is renamed to step_00001234.broken.N. Throws UserError (no space, no permission) with
  // the older saves untouched and nothing left behind that remove_unfinished() would not remove.
  std::filesystem::path write(const CheckpointContent& content);

  // Removes all but the newest `keep` (at least 2) and those named in `pinned` (steps). One that
  // lacks a file or is cut off does not count as kept.
  void prune(int keep, std::span<const std::int64_t> pinned);

  // Removes what a killed writer left behind. Only for the one who holds the run's lock.
  void remove_unfinished();

  std::vector<CheckpointEntry> list() const;  // by step, ascending; not verified

  // Verifies newest first until one is good.
  NewestGood newest_good() const;

  // Throws UserError with a message if the disk has no room for `bytes` x 1.1.
  void require_space(std::uint64_t bytes) const;

 private:
  void write_folder(const CheckpointContent& content, const std::filesystem::path& folder);
  void remove_tree(const std::filesystem::path& folder);

  std::filesystem::path checkpoints_;
  FileLayer* files_;
};

// Reads one save folder and checks everything (SHA-256 of each file, CRC32C of each tensor, format
// version). Throws UserError with the reason.
LoadedCheckpoint load_checkpoint(const std::filesystem::path& folder);

// CRC32C of the tensor's bytes, as in the manifest.
std::uint32_t checksum(const TensorView& tensor);

// True if this folder is meant as one save, by its name or its manifest; good or not.
bool is_checkpoint(const std::filesystem::path& folder);

// Throws UsageError, with the nearest name, if there is no such folder.
void require_run_or_checkpoint(const std::filesystem::path& path);

// RUN -> RUN/checkpoints where that is a folder, else the path itself.
std::filesystem::path checkpoints_of(const std::filesystem::path& run);

// True if the manifest is good and every file has its size: what can be seen without reading them.
bool looks_complete(const std::filesystem::path& folder);

// RUN, RUN/checkpoints or one save -> the save to speak with: the newest good one. Throws
// UsageError when the path is not there (nearest name), UserError when no save is good.
LoadedCheckpoint find_checkpoint(const std::filesystem::path& run_or_save);

}  // namespace xtts::checkpoint
