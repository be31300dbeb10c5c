#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <torch/types.h>

#include "audio/mel_spec.h"
#include "checkpoint/checkpoint_store.h"
#include "config/resolve.h"
#include "model/acoustic_model_torch.h"
#include "model/vocoder_torch.h"
#include "pipeline/features.h"
#include "pipeline/unreadable_utterances.h"
#include "step/flat_optimizer_torch.h"
#include "step/objective_torch.h"
#include "text/symbol_table.h"
#include "train/task.h"
#include "train/train_state.h"

namespace xtts::train {

// The device of training.device: "auto" is the CPU, as long as no GPU has been tried.
torch::Device training_device(const config::TrainingConfig& training);

// What changes while a run goes on, and is saved. Model and optimiser are on the run's device.
struct RunParts {
  // `its_num_symbols` are those of a voice's texts.
  RunParts(const config::Config& config, std::int64_t its_num_symbols, Task trained = Task::kVoice);

  model::ParameterSet& parameters() const { return objective->parameters(); }
  model::MelNormalisation& mel_scale() const;

  const std::int64_t num_symbols;
  const torch::Device device;
  const std::unique_ptr<model::AcousticModel> voice;  // one of the two is what is trained, the
  const std::unique_ptr<model::Vocoder> vocoder;      // other is null
  const std::unique_ptr<const step::Objective> objective;
  step::FlatOptimizer optimizer;
  // What discriminators are before they have learned anything; undefined without them.
  const torch::Tensor first_discriminators;
  TrainState state;
};

// What stays the same over a run, and is saved with it.
struct RunMetadata {
  Task trained = Task::kVoice;
  std::string config_yaml;
  audio::MelSpec contract;
  std::string symbols;  // text::SymbolTable::to_text()
  std::string precision;
  int threads = 0;
};

// One mean and one deviation over all values of all mels.
model::MelNormalisation mel_normalisation_of(const pipeline::FeatureSet& features);

// Gives a new voice its first means (model/flat_start.h). The mel scale is set before. A vocoder
// aligns nothing.
void start_alignment(RunParts& parts,
                     const pipeline::FeatureSet& features,
                     int num_workers,
                     pipeline::UnreadableUtterances& lost);

// The mean voice vector of each speaker over its clips (train/speaker_clips_torch.h), by the
// averaged weights: [S, V] float32 on the CPU. Undefined for a vocoder.
torch::Tensor speaker_means(RunParts& parts, const std::vector<torch::Tensor>& clips);

// Writes the save of the current step; what it holds is in docs/en/checkpoints.md.
void write_checkpoint(checkpoint::CheckpointStore& store,
                      RunParts& parts,
                      const RunMetadata& facts,
                      const pipeline::FeatureSet& features,
                      const torch::Tensor& speakers);

// Takes everything out of a save. Throws UserError if it is of another kind, model, mel or symbol
// table.
void restore(const checkpoint::LoadedCheckpoint& save, RunParts& parts, const RunMetadata& facts);

// Bytes that a save of this model takes, at most.
std::uint64_t checkpoint_bytes(const RunParts& parts);

}  // namespace xtts::train
