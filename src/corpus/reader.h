// Reads a corpus: finds its splits and lists their utterances.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "corpus/metadata.h"
#include "corpus/utterance.h"

namespace myxtts::corpus {

enum class Split { kTrain, kValidation };

std::string_view name_of(Split split);  // "train", "val"

struct Corpus {
  std::filesystem::path root;  // the folder that holds the metadata file
  Layout layout = Layout::kLjspeech;
  std::filesystem::path metadata_file;  // relative to root
  std::vector<Utterance> utterances;    // in the order of lines
  std::vector<Problem> problems;        // lines without a usable utterance, in order
};

// Returns the splits of `dir`, train first. A folder with `train/` and `val/` has both, as has one
// with `metadata_train.csv` and `metadata_eval.csv`. A folder with one metadata file has only
// kTrain. Throws UsageError if `dir` is not a folder (with the nearest name) or has no metadata of
// a known layout.
std::vector<Split> splits_in(const std::filesystem::path& dir, const config::DataConfig& config);

// Reads the metadata of a split. Uses the keys metadata_{train,eval}_file, wavs_{train,eval}_dir,
// enable_multispeaker and speaker_id_pattern. Searches audio files by name without opening them.
// Lines that are malformed, repeat an id or lead outside the folder become problems. Throws
// UsageError like splits_in() or if the split does not exist; UserError if the metadata file cannot
// be read.
Corpus read_corpus(const std::filesystem::path& dir,
                   const config::DataConfig& config,
                   Split split = Split::kTrain);

// Returns every n-th utterance, at most `max_count` and at least one; all if there are fewer.
std::vector<Utterance> sample_evenly(const std::vector<Utterance>& all, std::size_t max_count);

// Returns "LJSpeech, 600 utterances in demo/train/metadata.csv and 3 unusable lines".
std::string format_corpus(const Corpus& corpus);

}  // namespace myxtts::corpus
