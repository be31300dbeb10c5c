#pragma once

#include <filesystem>
#include <optional>

#include "config/config.h"
#include "corpus/reader.h"

namespace xtts::corpus {

// Where the metadata of a split is.
struct SplitPlace {
  std::filesystem::path root;           // the folder
  std::filesystem::path metadata_file;  // relative to root
};

// Looks for the files that hold a split, by name only; the rules are those of splits_in(). nullopt
// if `dir` has no such split. Throws UsageError if data.metadata_train_file, or for the validation
// split data.metadata_eval_file, is set and not there; UserError if the folder of the split is a
// link that leads out of `dir`.
std::optional<SplitPlace> find_split(const std::filesystem::path& dir,
                                     const config::DataConfig& config,
                                     Split split);

}  // namespace xtts::corpus
