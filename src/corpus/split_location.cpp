// Search order in a folder:
//
//   train  data.metadata_train_file, metadata_train.csv, metadata.csv, metadata.jsonl; then the
//   same
//          names in a subfolder train/ or dataset_train/; then the eval file of the folder, so that
//          the original's dataset_eval/ can be read on its own
//   val    data.metadata_eval_file, metadata_eval.csv, metadata_val.csv; if the train split is in a
//          subfolder, these and metadata.csv and metadata.jsonl in val/ validation/ valid/ eval/
//          dev/ or dataset_eval/
//
// A file name in the configuration replaces the default names.

#include "corpus/split_location.h"

#include <initializer_list>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "corpus/reasons.h"

namespace myxtts::corpus {
namespace {

using Names = std::vector<std::string>;

// Also true for links and pipes, whose faults are reported when they are read.
bool entry_exists(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(path, error);
  return !error && status.type() != std::filesystem::file_type::not_found;
}

Names names_of(const std::optional<std::string>& configured,
               std::initializer_list<const char*> defaults) {
  if (configured && !configured->empty()) return {*configured};
  return {defaults.begin(), defaults.end()};
}

std::optional<SplitLocation> find_in(const std::filesystem::path& dir, const Names& names) {
  for (const std::string& name : names) {
    if (entry_exists(dir / name)) return SplitLocation{dir, name};
  }
  return std::nullopt;
}

std::optional<SplitLocation> find_below(const std::filesystem::path& dir,
                                        std::initializer_list<const char*> folders,
                                        const Names& names) {
  for (const char* folder : folders) {
    require(!entry_exists(dir / folder) || base::stays_inside(dir, folder),
            "{} is a link to a folder outside {}; copy the folder, or pass its real path",
            printable((dir / folder).string(), 400),
            printable(dir.string(), 400));
    auto location = find_in(dir / folder, names);
    if (location) return location;
  }
  return std::nullopt;
}

// Throws UsageError if the configuration names a file that does not exist.
void require_configured(const std::optional<SplitLocation>& location,
                        const char* key,
                        const std::optional<std::string>& configured,
                        const std::filesystem::path& dir) {
  require_usage(location || !configured || configured->empty(),
                "{} is {}, which does not exist in {}; set an existing file, or unset the key",
                key,
                printable(configured.value_or(""), 400),
                printable(dir.string(), 400));
}

std::optional<SplitLocation> find_train(const std::filesystem::path& dir,
                                        const config::DataConfig& config) {
  const Names train = names_of(config.metadata_train_file,
                               {"metadata_train.csv", "metadata.csv", "metadata.jsonl"});
  auto location = find_in(dir, train);
  if (!location) location = find_below(dir, {"train", "dataset_train"}, train);
  require_configured(location, "data.metadata_train_file", config.metadata_train_file, dir);
  if (location) return location;
  return find_in(dir,
                 names_of(config.metadata_eval_file, {"metadata_eval.csv", "metadata_val.csv"}));
}

std::optional<SplitLocation> find_validation(const std::filesystem::path& dir,
                                             const config::DataConfig& config,
                                             const SplitLocation& train) {
  if (train.root != dir) {
    return find_below(
        dir,
        {"val", "validation", "valid", "eval", "dev", "dataset_eval"},
        names_of(config.metadata_eval_file,
                 {"metadata_eval.csv", "metadata_val.csv", "metadata.csv", "metadata.jsonl"}));
  }
  return find_in(dir,
                 names_of(config.metadata_eval_file, {"metadata_eval.csv", "metadata_val.csv"}));
}

}  // namespace

std::optional<SplitLocation> find_split(const std::filesystem::path& dir,
                                        const config::DataConfig& config,
                                        Split split) {
  auto train = find_train(dir, config);
  if (split == Split::kTrain || !train) return train;

  auto location = find_validation(dir, config, *train);
  require_configured(location, "data.metadata_eval_file", config.metadata_eval_file, dir);
  const bool is_different = location && (location->root != train->root ||
                                         location->metadata_file != train->metadata_file);
  return is_different ? location : std::nullopt;
}

}  // namespace myxtts::corpus
