// The saves of a run: RUN/checkpoints/step_00001234/, each a folder that is complete or absent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "checkpoint/safetensors.h"

namespace xtts::checkpoint {

// What a save is made of. Views must stay valid during SaveStore::write().
struct SaveContent {
  std::int64_t step = 0;
  std::vector<TensorView> model;    // model.safetensors: weights, and "ema." + name where averaged
  std::vector<TensorView> trainer;  // trainer.safetensors: optimiser state
  std::string config_json;          // config.json: everything that is not a tensor (see step/, train/)
};

// A save that was read back and verified.
struct LoadedSave {
  std::int64_t step = 0;
  std::filesystem::path folder;
  TensorFile model;
  TensorFile trainer;
  std::string config_json;
};

// A save that was looked at and is not good, with the reason in words.
struct BrokenSave {
  std::filesystem::path folder;
  std::string reason;
};

struct NewestGood {
  std::optional<LoadedSave> save;
  std::vector<BrokenSave> broken;  // newer ones that were passed over, newest first
};

struct SaveEntry {
  std::int64_t step = 0;
  std::filesystem::path folder;
};

// One folder of saves. Only one process writes (train holds the run's lock); any may read.
class SaveStore {
 public:
  explicit SaveStore(std::filesystem::path checkpoints);  // RUN/checkpoints; may not exist yet

  // Writes beside, syncs every file and the folder, renames once, syncs the parent; only then
  // returns. A step that is already there is verified; if it is good nothing is written. Throws
  // UserError (no space, no permission) with the older saves untouched and nothing left behind.
  std::filesystem::path write(const SaveContent& content);

  // Removes all but the newest `keep` (at least 2) and those named in `pinned` (steps).
  void prune(int keep, std::span<const std::int64_t> pinned);

  // Removes what a killed writer left behind.
  void remove_unfinished();

  std::vector<SaveEntry> list() const;  // by name, ascending; not verified

  // Verifies newest first until one is good.
  NewestGood newest_good() const;

  // Throws UserError with a message if the disk has no room for `bytes` x 1.1.
  void require_space(std::uint64_t bytes) const;

 private:
  std::filesystem::path checkpoints_;
};

// Reads one save folder and checks everything (SHA-256 of each file, CRC32C of each tensor, format
// version). Throws UserError with the reason.
LoadedSave load_save(const std::filesystem::path& folder);

// RUN, RUN/checkpoints or one save -> the save to speak with: `which` newest good. Throws UsageError
// when the path is not there (nearest name), UserError when no save is good.
LoadedSave find_save(const std::filesystem::path& run_or_save);

}  // namespace xtts::checkpoint
