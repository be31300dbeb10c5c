#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <torch/types.h>

#include "audio/mel_spec.h"
#include "checkpoint/checkpoint_store.h"
#include "config/resolve.h"
#include "data/features.h"
#include "data/unreadable_utterances.h"
#include "model/acoustic_model_torch.h"
#include "model/vocoder_torch.h"
#include "step/flat_optimizer_torch.h"
#include "step/objective_torch.h"
#include "text/symbol_table.h"
#include "train/task.h"
#include "train/train_state.h"

namespace myxtts::train {

// Holds the model, optimiser and state of a run, and writes and restores its checkpoints.

// Returns the device of training.device. "auto" is the CPU, because no GPU has been tested yet.
torch::Device training_device(const config::TrainingConfig& training);

// The mutable part of a run, stored in checkpoints. Model and optimiser are on the run's device.
struct RunParts {
  // `vocabulary_size` is the number of text symbols; a vocoder ignores it.
  RunParts(const config::Config& config, std::int64_t vocabulary_size, Task task = Task::kVoice);

  model::ParameterSet& parameters() const { return objective->parameters(); }
  model::MelNormalisation& mel_normalisation() const;

  const std::int64_t num_symbols;
  const torch::Device device;
  const std::unique_ptr<model::AcousticModel> voice;  // one of the two is trained, the other is
  const std::unique_ptr<model::Vocoder> vocoder;      // null
  const std::unique_ptr<const step::Objective> objective;
  step::FlatOptimizer optimizer;
  // The discriminators' random initial weights; undefined without discriminators.
  const torch::Tensor initial_discriminators;
  TrainState state;
};

// The constant part of a run, stored in checkpoints.
struct RunMetadata {
  Task task = Task::kVoice;
  std::string config_yaml;
  audio::MelSpec mel_spec;
  std::string symbols;  // text::SymbolTable::to_text()
  std::string precision;
  int threads = 0;
};

// Returns the mean and standard deviation over all values of all mels.
model::MelNormalisation mel_normalisation_of(const data::FeatureSet& features);

// Initialises the symbol means of a new voice by a flat start (model/flat_start.h). Requires the
// mel normalisation. Does nothing for a vocoder.
void start_alignment(RunParts& parts,
                     const data::FeatureSet& features,
                     int num_workers,
                     data::UnreadableUtterances& unreadable);

// Returns the mean speaker embedding of each speaker over its clips (train/speaker_clips_torch.h),
// computed with the EMA weights: [S, V] float32 on the CPU. Undefined for a vocoder.
torch::Tensor speaker_means(RunParts& parts, const std::vector<torch::Tensor>& clips);

// Writes the checkpoint of the current step (docs/en/checkpoints.md has its content).
void write_checkpoint(checkpoint::CheckpointStore& store,
                      RunParts& parts,
                      const RunMetadata& metadata,
                      const data::FeatureSet& features,
                      const torch::Tensor& speakers);

// Restores all parts from a checkpoint. Throws UserError if its task, model, mel spec or symbol
// table differs.
void restore(const checkpoint::LoadedCheckpoint& loaded,
             RunParts& parts,
             const RunMetadata& metadata);

// Returns the maximum size of a checkpoint of this model, in bytes.
std::uint64_t checkpoint_bytes(const RunParts& parts);

}  // namespace myxtts::train
