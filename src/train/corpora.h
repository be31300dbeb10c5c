#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "config/config.h"
#include "pipeline/features.h"
#include "pipeline/shape_plan.h"
#include "train/task.h"

namespace xtts::train {

// What a run learns from and what it is judged by, computed once and kept in memory.
struct Corpora {
  pipeline::FeatureSet training;
  pipeline::FeatureSet validation;             // with speakers of its own; empty if there is none
  std::filesystem::path training_root = {};    // folders with their metadata, for `corpus check`
  std::filesystem::path validation_root = {};  // the same one where a share is held back
  std::vector<std::string> notes;              // where each came from, one line each, for people
  std::string mel_maker;                       // name of who made their mels
  std::shared_ptr<const pipeline::FeatureCache> cache = nullptr;  // of their mels; null: none
  double loading_s = 0.0;                                         // wall time that it took
};

// Loads data.dataset_path and the validation set: data.val_dataset_path if given, else the corpus's
// own `val`, else a share `data.val_split` held back by the hash of the id. Shows progress on
// standard error. Throws UserError if nothing is left to train on, or if more than
// `pipeline::kMostBadShare` of the utterances are bad. Mels are made by
// `maker`; null: FastMel. Of a larger training set than `most_utterances` an even sample is taken.
// What a vocoder is trained on has the samples too.
Corpora load_corpora(const config::Config& config,
                     int num_workers,
                     const std::shared_ptr<const pipeline::MelExtractor>& maker = nullptr,
                     std::size_t most_utterances = std::numeric_limits<std::size_t>::max(),
                     Task trained = Task::kVoice);

// What is said of an utterance that is not used: "u005: not_audio: wavs/u005.wav: ...".
std::string skipped_line(const corpus::Problem& problem);

// What is said of a run that goes on with mels of another maker than its save's: a line, or empty
// if they are the same or it is not known.
std::string other_mels_line(const std::string& of_the_save, const std::string& now);

// The shapes of a run over them.
pipeline::ShapePlan plan_of(const config::Config& config, const Corpora& corpora);

// A hash of what the order of a run depends on: the utterances, their lengths, who is left out, the
// plan and the micro-batches of an update.
std::string corpus_hash(const pipeline::FeatureSet& features,
                        const pipeline::ShapePlan& plan,
                        int grad_accum);

}  // namespace xtts::train
