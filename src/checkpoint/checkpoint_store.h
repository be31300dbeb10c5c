// Writes, lists, prunes and loads the checkpoints of a run: folders RUN/checkpoints/step_00001234,
// each complete or absent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "checkpoint/file_layer.h"
#include "checkpoint/safetensors.h"

namespace myxtts::checkpoint {

// The content of a checkpoint. Views must stay valid during CheckpointStore::write().
struct CheckpointContent {
  std::int64_t step = 0;
  std::vector<TensorView> model;    // model.safetensors: weights, and EMA weights as "ema." + name
  std::vector<TensorView> trainer;  // trainer.safetensors: optimiser state
  std::string config_json;          // config.json: CheckpointMetadata
};

// A checkpoint that was read and verified.
struct LoadedCheckpoint {
  std::int64_t step = 0;
  std::filesystem::path folder;
  TensorFile model;
  TensorFile trainer;
  std::string config_json;
};

// A checkpoint that failed verification, with the error message.
struct DamagedCheckpoint {
  std::filesystem::path folder;
  std::string reason;
};

struct NewestGood {
  std::optional<LoadedCheckpoint> checkpoint;
  std::vector<DamagedCheckpoint> damaged;  // newer ones that were skipped, newest first
};

struct CheckpointEntry {
  std::int64_t step = 0;
  std::filesystem::path folder;
};

// A folder of checkpoints. One process writes (train holds the RunLock); any process may read.
class CheckpointStore {
 public:
  // `checkpoints` is RUN/checkpoints and need not exist. `files` must outlive the store.
  explicit CheckpointStore(std::filesystem::path checkpoints, FileLayer& files = real_files());

  // Writes a checkpoint atomically and returns when it is on the disk: writes to a temporary
  // folder, syncs every file and the folder, renames once, syncs the parent. An existing checkpoint
  // of the step is verified: if it is good, nothing is written; if it is damaged, it is renamed to
  // step_00001234.broken.N. Throws UserError (no space, no permission); older checkpoints are then
  // unchanged, and remove_unfinished() removes all that is left.
  std::filesystem::path write(const CheckpointContent& content);

  // Removes all checkpoints except the newest `keep` (at least 2) and the steps in `pinned`. A
  // checkpoint with a missing or truncated file does not count towards `keep`.
  void prune(int keep, std::span<const std::int64_t> pinned);

  // Removes the temporary folders of killed writers. The caller must hold the RunLock.
  void remove_unfinished();

  std::vector<CheckpointEntry> list() const;  // ascending step, not verified

  // Verifies checkpoints from the newest on until one is good.
  NewestGood newest_good() const;

  // Throws UserError if the disk has less than `bytes` x 1.1 free.
  void require_space(std::uint64_t bytes) const;

 private:
  void write_folder(const CheckpointContent& content, const std::filesystem::path& folder);
  void remove_tree(const std::filesystem::path& folder);

  std::filesystem::path checkpoints_;
  FileLayer* files_;
};

// Reads a checkpoint folder and verifies format version, SHA-256 of each file and CRC32C of each
// tensor. Throws UserError with the reason.
LoadedCheckpoint load_checkpoint(const std::filesystem::path& folder);

// Returns the CRC32C of the tensor's bytes, as in the manifest.
std::uint32_t checksum(const TensorView& tensor);

// Returns whether the folder is a checkpoint by its name or manifest. Does not verify it.
bool is_checkpoint(const std::filesystem::path& folder);

// Throws UsageError with the nearest name if there is no such folder.
void require_run_or_checkpoint(const std::filesystem::path& path);

// Returns RUN/checkpoints if that is a folder, else the path itself.
std::filesystem::path checkpoints_of(const std::filesystem::path& run);

// Returns whether the manifest is valid and every file has its size. Does not read the files.
bool looks_complete(const std::filesystem::path& folder);

// Loads the given checkpoint, or the newest good one of RUN or RUN/checkpoints. Throws UsageError
// with the nearest name if the path does not exist, UserError if no checkpoint is good.
LoadedCheckpoint find_checkpoint(const std::filesystem::path& run_or_checkpoint);

}  // namespace myxtts::checkpoint
