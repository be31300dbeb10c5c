#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include <torch/types.h>

#include "checkpoint/checkpoint_store.h"
#include "config/config.h"
#include "train/run_parts_torch.h"
#include "train/run_report.h"
#include "train/watchdog.h"

namespace myxtts::train {

// Writes and restores the checkpoints of a running training and logs this through the report.
// Borrows all constructor arguments except the clips.
class CheckpointManager {
 public:
  CheckpointManager(const std::filesystem::path& run,
                    const config::Config& config,
                    const RunMetadata& metadata,
                    const data::FeatureSet& features,
                    std::vector<torch::Tensor> speaker_clips,
                    RunParts& parts,
                    RunReport& report,
                    RunWatchdog& watchdog);

  // Restores the newest valid checkpoint and logs the settings that differ from it; returns false
  // if there is none. Throws UserError if checkpoints exist but none is valid, if the checkpoint
  // has another model, mel spec or symbol table, or if there is no disk space for the next
  // checkpoint.
  bool resume();

  // Writes a checkpoint of the current step unless it exists, and removes old checkpoints.
  void write();

  // Restores the newest valid checkpoint after too many consecutive non-finite steps. The data
  // position and the count of skipped steps are kept. Throws UserError if there is no checkpoint,
  // or after several restores of the same one.
  void restore_newest();

  std::int64_t saved_step() const { return saved_step_; }  // -1: none yet
  // Reference clips from which a checkpoint computes the mean embeddings of its speakers.
  const std::vector<torch::Tensor>& speaker_clips() const { return speaker_clips_; }

 private:
  void log_changes(const checkpoint::LoadedCheckpoint& loaded);

  const std::filesystem::path checkpoints_;
  const config::Config& config_;
  const RunMetadata& metadata_;
  const data::FeatureSet& features_;
  const std::vector<torch::Tensor> speaker_clips_;
  RunParts& parts_;
  RunReport& report_;
  RunWatchdog& watchdog_;
  checkpoint::CheckpointStore store_;
  std::int64_t saved_step_ = -1;
  int num_restores_ = 0;  // of the newest checkpoint
};

}  // namespace myxtts::train
