// Collects what `myxtts inspect` shows about checkpoints.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "checkpoint/checkpoint_store.h"

namespace myxtts::cli {

// One verified checkpoint of a run.
struct CheckpointRow {
  std::int64_t step = 0;
  std::filesystem::path folder;
  std::uint64_t bytes = 0;  // of all files
  std::string fault;        // empty if intact
};

// Loads and verifies a checkpoint. A damaged one gets a fault.
CheckpointRow row_of(const checkpoint::CheckpointEntry& entry);

// Returns {"step", "folder", "bytes", "good"}, and "reason" if the checkpoint is broken.
nlohmann::ordered_json to_json(const CheckpointRow& row);

// Returns [{"name", "dtype", "shape", "bytes", "crc32c"}], sorted by name.
nlohmann::ordered_json tensors_json(const checkpoint::TensorFile& file);

// Returns the number of weights, without EMA weights and speaker embeddings.
std::int64_t num_parameters(const checkpoint::TensorFile& model);

// Returns the properties of a checkpoint: {"kind", "step", "folder", "epoch", "batch",
// "parameters", "speakers", "mel_spec_fingerprint", "symbols_hash", "precision", "seed",
// "validation_loss", "best_validation_loss", "judged", "judged_best", "program_version",
// "format_version"}. Properties that config.json lacks are absent.
nlohmann::ordered_json checkpoint_properties(const checkpoint::LoadedCheckpoint& loaded);

}  // namespace myxtts::cli
