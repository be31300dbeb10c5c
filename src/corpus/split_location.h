// Finds the metadata file of a split.
#pragma once

#include <filesystem>
#include <optional>

#include "config/config.h"
#include "corpus/reader.h"

namespace myxtts::corpus {

// The location of the metadata of a split.
struct SplitLocation {
  std::filesystem::path root;           // the folder of the metadata file
  std::filesystem::path metadata_file;  // relative to root
};

// Finds the metadata file of a split by name, with the rules of splits_in(). Returns nullopt if
// `dir` has no such split. Throws UsageError if data.metadata_train_file, or for the validation
// split data.metadata_eval_file, is set and does not exist; UserError if the folder of the split is
// a link that leads outside `dir`.
std::optional<SplitLocation> find_split(const std::filesystem::path& dir,
                                        const config::DataConfig& config,
                                        Split split);

}  // namespace myxtts::corpus
