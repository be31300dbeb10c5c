#pragma once

#include <filesystem>
#include <string>

#include "config/config.h"

namespace xtts::corpus {

// Where the training corpus is: `train_data` if given, else data.dataset_path, else
// ../dataset/dataset_train if that exists. Throws UsageError if there is none of them (with the
// line that makes a demo corpus) or if the named folder is not there (with the nearest name).
std::filesystem::path locate_corpus(const std::string& train_data,
                                    const config::DataConfig& config);

// Throws UsageError unless `dir` is a folder; the message suggests the nearest sibling that is.
void require_folder(const std::filesystem::path& dir);

}  // namespace xtts::corpus
