// A folder is searched in this order:
//
//   train  data.metadata_train_file, metadata_train.csv, metadata.csv, metadata.jsonl; then a
//          subfolder train/ or dataset_train/ by the same names; then the folder's eval file, so
//          that the original's dataset_eval/ can be looked at on its own
//   val    data.metadata_eval_file, metadata_eval.csv, metadata_val.csv; then, if the train split
//   is
//          in a subfolder, val/ validation/ valid/ eval/ dev/ or dataset_eval/, where metadata.csv
//          and metadata.jsonl count as well
//
// A file that the configuration names is the only one that counts.

#include "corpus/split_place.h"

#include <initializer_list>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "corpus/reasons.h"

namespace xtts::corpus {
namespace {

using Names = std::vector<std::string>;

// A link or a pipe is there, too: reading it says what is wrong with it.
bool is_there(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(path, error);
  return !error && status.type() != std::filesystem::file_type::not_found;
}

Names names_of(const std::optional<std::string>& configured,
               std::initializer_list<const char*> usual) {
  if (configured && !configured->empty()) return {*configured};
  return {usual.begin(), usual.end()};
}

std::optional<SplitPlace> find_in(const std::filesystem::path& dir, const Names& names) {
  for (const std::string& name : names) {
    if (is_there(dir / name)) return SplitPlace{dir, name};
  }
  return std::nullopt;
}

std::optional<SplitPlace> find_below(const std::filesystem::path& dir,
                                     std::initializer_list<const char*> folders,
                                     const Names& names) {
  for (const char* folder : folders) {
    require(!is_there(dir / folder) || base::stays_inside(dir, folder),
            "{} is a link that leads outside of {}; copy what it leads to, or name that folder",
            printable((dir / folder).string(), 400),
            printable(dir.string(), 400));
    auto place = find_in(dir / folder, names);
    if (place) return place;
  }
  return std::nullopt;
}

// A file that somebody named must be there, whatever else is.
void require_named(const std::optional<SplitPlace>& place,
                   const char* key,
                   const std::optional<std::string>& configured,
                   const std::filesystem::path& dir) {
  require_usage(place || !configured || configured->empty(),
                "{} is {}, which is not in {}; name a file that is there, or unset the key",
                key,
                printable(configured.value_or(""), 400),
                printable(dir.string(), 400));
}

std::optional<SplitPlace> find_train(const std::filesystem::path& dir,
                                     const config::DataConfig& config) {
  const Names train = names_of(config.metadata_train_file,
                               {"metadata_train.csv", "metadata.csv", "metadata.jsonl"});
  auto place = find_in(dir, train);
  if (!place) place = find_below(dir, {"train", "dataset_train"}, train);
  require_named(place, "data.metadata_train_file", config.metadata_train_file, dir);
  if (place) return place;
  return find_in(dir,
                 names_of(config.metadata_eval_file, {"metadata_eval.csv", "metadata_val.csv"}));
}

std::optional<SplitPlace> find_validation(const std::filesystem::path& dir,
                                          const config::DataConfig& config,
                                          const SplitPlace& train) {
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

std::optional<SplitPlace> find_split(const std::filesystem::path& dir,
                                     const config::DataConfig& config,
                                     Split split) {
  auto train = find_train(dir, config);
  if (split == Split::kTrain || !train) return train;

  auto place = find_validation(dir, config, *train);
  require_named(place, "data.metadata_eval_file", config.metadata_eval_file, dir);
  const bool other =
      place && (place->root != train->root || place->metadata_file != train->metadata_file);
  return other ? place : std::nullopt;
}

}  // namespace xtts::corpus
