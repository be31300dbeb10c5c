#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "config/config.h"
#include "data/features.h"
#include "data/shape_plan.h"
#include "train/task.h"

namespace myxtts::train {

// The training and validation set of a run, loaded once and kept in memory.
struct Corpora {
  data::FeatureSet training;
  data::FeatureSet validation;                 // may have other speakers; may be empty
  std::filesystem::path training_root = {};    // folder of metadata.csv, for `corpus check`
  std::filesystem::path validation_root = {};  // training_root if a share is held out
  std::vector<std::string> notes;              // log lines about the source of each set
  std::string mel_extractor;                   // name of the mel extractor
  std::shared_ptr<const data::FeatureCache> cache = nullptr;  // of the mels; may be null
  double loading_s = 0.0;                                     // wall time of loading
};

// Loads data.dataset_path and the validation set: data.val_dataset_path if given, else the corpus's
// own `val`, else a share `data.val_split` held out by the hash of the id. Shows progress on
// standard error. Throws UserError if no utterance is usable, or if more than
// `data::kMaxUnreadableShare` of the utterances are bad. Mels are computed by `extractor`;
// null: FastMel. A training set above `max_utterances` is sampled evenly. For a vocoder the
// features include the samples.
Corpora load_corpora(const config::Config& config,
                     int num_workers,
                     const std::shared_ptr<const data::MelExtractor>& extractor = nullptr,
                     std::size_t max_utterances = std::numeric_limits<std::size_t>::max(),
                     Task task = Task::kVoice);

// Returns "u005: not_audio: wavs/u005.wav: ..." for an utterance that is not used.
std::string format_skipped(const corpus::Problem& problem);

// Returns a log line for a run that resumes with another mel extractor than its checkpoint used, or
// an empty text if the extractors are equal or the old one is unknown.
std::string format_extractor_change(const std::string& in_checkpoint, const std::string& now);

// Computes the shape plan of a run.
data::ShapePlan plan_of(const config::Config& config, const Corpora& corpora);

// Returns a hash of everything that determines the batch order: the utterances, their lengths,
// which are filtered, the shape plan and the micro-batches per batch.
std::string corpus_hash(const data::FeatureSet& features,
                        const data::ShapePlan& plan,
                        int grad_accum);

}  // namespace myxtts::train
