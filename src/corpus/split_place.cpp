// A folder is searched in this order:
//
//   train  data.metadata_train_file, metadata_train.csv, metadata.csv, metadata.jsonl; then a
//          subfolder train/ or dataset_train/ by the same names; then the folder's eval file, so
//          that the original's dataset_eval/ can be looked at on its own
//   val    data.metadata_eval_file, metadata_eval.csv, metadata_val.csv; then, if the train split
//   is
//          in a subfolder, val/ validation/ valid/ eval/ dev/ or dataset_eval/, where metadata.csv
//          and metadata.jsonl count as well

#include "corpus/split_place.h"

#include <initializer_list>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.h"

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
  Names names;
  if (configured && !configured->empty()) names.push_back(*configured);
  names.insert(names.end(), usual.begin(), usual.end());
  return names;
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
    auto place = find_in(dir / folder, names);
    if (place) return place;
  }
  return std::nullopt;
}

std::optional<SplitPlace> find_train(const std::filesystem::path& dir,
                                     const config::DataConfig& config) {
  const Names train = names_of(config.metadata_train_file,
                               {"metadata_train.csv", "metadata.csv", "metadata.jsonl"});
  auto place = find_in(dir, train);
  if (!place) place = find_below(dir, {"train", "dataset_train"}, train);
  const Names eval = names_of(config.metadata_eval_file, {"metadata_eval.csv", "metadata_val.csv"});
  if (!place) return find_in(dir, eval);

  const std::string wanted = config.metadata_train_file.value_or("");
  require_usage(wanted.empty() || place->metadata_file == wanted || find_in(dir, eval),
                "data.metadata_train_file is {}, which is not in {}; there is {}",
                wanted,
                dir.string(),
                (place->root / place->metadata_file).string());
  return place;
}

}  // namespace

std::optional<SplitPlace> find_split(const std::filesystem::path& dir,
                                     const config::DataConfig& config,
                                     Split split) {
  auto train = find_train(dir, config);
  if (split == Split::kTrain || !train) return train;

  if (train->root == dir) {
    const auto eval = find_in(
        dir, names_of(config.metadata_eval_file, {"metadata_eval.csv", "metadata_val.csv"}));
    const bool other = eval && eval->metadata_file != train->metadata_file;
    return other ? eval : std::nullopt;
  }
  return find_below(
      dir,
      {"val", "validation", "valid", "eval", "dev", "dataset_eval"},
      names_of(config.metadata_eval_file,
               {"metadata_eval.csv", "metadata_val.csv", "metadata.csv", "metadata.jsonl"}));
}

}  // namespace xtts::corpus
