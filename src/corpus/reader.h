#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "corpus/metadata.h"
#include "corpus/utterance.h"

namespace xtts::corpus {

enum class Split { kTrain, kValidation };

std::string_view name_of(Split split);  // "train", "val"

struct Corpus {
  std::filesystem::path root;  // the folder that holds the metadata file
  Layout layout = Layout::kLjspeech;
  std::filesystem::path metadata_file;  // relative to root
  std::vector<Utterance> utterances;    // in the order of their lines
  std::vector<Problem> problems;        // lines that name no usable utterance, in order
};

// The splits that `dir` has, train first. A folder that holds `train/` and `val/` has both, and so
// has one with `metadata_train.csv` and `metadata_eval.csv`. A folder with one metadata file has
// only kTrain, whatever the file is called. Throws UsageError if `dir` is not a folder (naming the
// nearest one that is) or holds no metadata of a known layout.
std::vector<Split> splits_in(const std::filesystem::path& dir, const config::DataConfig& config);

// Reads the metadata of one split. The keys metadata_train_file, wavs_train_dir and their eval
// twins, enable_multispeaker and speaker_id_pattern are respected. Looks for each audio file
// by name only; opens none. Lines that are malformed, repeat an id or lead outside of the
// folder become problems. Throws UsageError as splits_in() does, or if the split is not there;
// UserError if the metadata file cannot be read.
Corpus read_corpus(const std::filesystem::path& dir,
                   const config::DataConfig& config,
                   Split split = Split::kTrain);

// `most` utterances at equal distances, or all if there are fewer; one at least.
std::vector<Utterance> even_sample(const std::vector<Utterance>& all, std::size_t most);

// "LJSpeech, 600 utterances in demo/train/metadata.csv (3 bad lines)".
std::string describe(const Corpus& corpus);

}  // namespace xtts::corpus
