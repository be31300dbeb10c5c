#pragma once

#include <filesystem>
#include <string>

#include "config/config.h"

namespace myxtts::corpus {

// Returns the folder of the training corpus: `train_data` if given, else data.dataset_path, else
// ../dataset/dataset_train if that exists. Throws UsageError if none is set (with the command that
// creates a demo corpus) or if the folder does not exist (with the nearest name).
std::filesystem::path locate_corpus(const std::string& train_data,
                                    const config::DataConfig& config);

// Throws UsageError with the nearest sibling folder unless `dir` is a folder.
void require_folder(const std::filesystem::path& dir);

}  // namespace myxtts::corpus
