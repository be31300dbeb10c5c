// What `myxtts inspect` has to say.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "checkpoint/checkpoint_store.h"

namespace xtts::cli {

// One save of a run, looked at and verified.
struct CheckpointRow {
  std::int64_t step = 0;
  std::filesystem::path folder;
  std::uint64_t bytes = 0;  // of its files together
  std::string fault;        // empty if it is good
};

CheckpointRow row_of(const checkpoint::CheckpointEntry& entry);

// {"step", "folder", "bytes", "good"}, and "reason" if it is broken.
nlohmann::ordered_json to_json(const CheckpointRow& row);

// [{"name", "dtype", "shape", "bytes", "crc32c"}], by name.
nlohmann::ordered_json tensors_json(const checkpoint::TensorFile& file);

// Elements of the weights: neither the averaged ones nor the speakers' vectors.
std::int64_t num_parameters(const checkpoint::TensorFile& model);

// What is known about a save: {"kind", "step", "folder", "epoch", "update", "parameters",
// "speakers", "mel_spec_fingerprint", "symbols_hash", "precision", "seed", "validation_loss",
// "best_validation_loss", "judged", "judged_best", "program_version", "format_version"}. What its
// config.json does not tell is absent.
nlohmann::ordered_json facts_of(const checkpoint::LoadedCheckpoint& save);

}  // namespace xtts::cli
