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

namespace xtts::train {

// The saves of a run at work: what it goes on from, what it leaves, what it goes back to. Borrows
// all that it is made of but the clips. What it does is said by the report.
class CheckpointManager {
 public:
  CheckpointManager(const std::filesystem::path& run,
                    const config::Config& config,
                    const RunMetadata& facts,
                    const pipeline::FeatureSet& features,
                    std::vector<torch::Tensor> speaker_clips,
                    RunParts& parts,
                    RunReport& report,
                    RunWatchdog& watch);

  // Takes over the newest good save and says which settings are not those of it; false if there is
  // none. Throws UserError if there are saves and none is good, if the save is of another model,
  // mel or symbol table, or if there is no room for the next save.
  bool resume();

  // Writes the current step, watched, unless it is written, and removes what need not be kept.
  void write();

  // After too many bad steps in a row: takes over the newest good save once more, but goes on with
  // the data behind the bad steps and still counts them. Throws UserError if there is no save, or
  // if going back to it has not helped.
  void return_to_newest();

  std::int64_t saved_step() const { return saved_step_; }  // -1: none yet
  // By which saves know the voices of their speakers.
  const std::vector<torch::Tensor>& speaker_clips() const { return speaker_clips_; }

 private:
  void say_changes(const checkpoint::LoadedCheckpoint& save);

  const std::filesystem::path checkpoints_;
  const config::Config& config_;
  const RunMetadata& facts_;
  const pipeline::FeatureSet& features_;
  const std::vector<torch::Tensor> speaker_clips_;
  RunParts& parts_;
  RunReport& report_;
  RunWatchdog& watch_;
  checkpoint::CheckpointStore store_;
  std::int64_t saved_step_ = -1;
  int num_returns_ = 0;  // to the newest save, since it is the newest
};

}  // namespace xtts::train
