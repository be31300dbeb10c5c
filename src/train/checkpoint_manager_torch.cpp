#include "train/checkpoint_manager_torch.h"

#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "checkpoint/checkpoint_metadata.h"
#include "config/resolve.h"
#include "config/write_yaml.h"

namespace myxtts::train {
namespace {

constexpr int kMaxRestores = 3;

}  // namespace

CheckpointManager::CheckpointManager(const std::filesystem::path& run,
                                     const config::Config& config,
                                     const RunMetadata& metadata,
                                     const data::FeatureSet& features,
                                     std::vector<torch::Tensor> speaker_clips,
                                     RunParts& parts,
                                     RunReport& report,
                                     RunWatchdog& watchdog)
    : checkpoints_(run / "checkpoints"),
      config_(config),
      metadata_(metadata),
      features_(features),
      speaker_clips_(std::move(speaker_clips)),
      parts_(parts),
      report_(report),
      watchdog_(watchdog),
      store_(checkpoints_) {}

bool CheckpointManager::resume() {
  store_.remove_unfinished();
  const checkpoint::NewestGood newest = store_.newest_good();
  for (const checkpoint::DamagedCheckpoint& damaged : newest.damaged)
    report_.skipped_checkpoint(damaged.folder.string(), damaged.reason);
  require(newest.checkpoint.has_value() || newest.damaged.empty(),
          "{} has checkpoints, but none is valid; restore one from a backup, or restart with "
          "--reset-training, which archives them",
          checkpoints_.string());
  if (newest.checkpoint) {
    log_changes(*newest.checkpoint);
    restore(*newest.checkpoint, parts_, metadata_);
    saved_step_ = parts_.state.step;
  }
  store_.require_space(checkpoint_bytes(parts_));
  return newest.checkpoint.has_value();
}

// Called before restore(): if the checkpoint does not fit, these lines explain why.
void CheckpointManager::log_changes(const checkpoint::LoadedCheckpoint& loaded) {
  const std::string source = loaded.folder.string();
  const checkpoint::CheckpointMetadata saved =
      checkpoint::parse_checkpoint_metadata(loaded.config_json, source + "/config.json");
  const config::Config before = config::parse_yaml(saved.config_yaml, source).config;
  for (const config::Difference& one : config::differences(before, config_))
    report_.log(fmt::format(
        "[train] changed since the checkpoint: {} is {}, was {}\n", one.key, one.right, one.left));
  if (saved.threads == metadata_.threads) return;
  report_.log(fmt::format(
      "[train] {} threads, the checkpoint was written with {}; losses will differ in their "
      "last digits from those of an uninterrupted run\n",
      metadata_.threads,
      saved.threads));
}

void CheckpointManager::write() {
  if (saved_step_ == parts_.state.step) return;
  const RunWatchdog::ScopedActivity watched(watchdog_, Activity::kCheckpoint, parts_.state.step);
  const auto started = std::chrono::steady_clock::now();
  report_.flush();
  store_.require_space(checkpoint_bytes(parts_));
  write_checkpoint(store_, parts_, metadata_, features_, speaker_means(parts_, speaker_clips_));
  saved_step_ = parts_.state.step;
  num_restores_ = 0;
  std::vector<std::int64_t> pinned = {parts_.state.best_step};
  if (parts_.state.judged_best) pinned.push_back(parts_.state.judged_best->step);
  store_.prune(config_.training.keep_checkpoints, pinned);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
  report_.checkpoint_saved(parts_.state, elapsed.count());
}

void CheckpointManager::restore_newest() {
  const TrainState bad = parts_.state;
  const checkpoint::NewestGood newest =
      num_restores_ < kMaxRestores ? store_.newest_good() : checkpoint::NewestGood{};
  require(newest.checkpoint.has_value(),
          "{} consecutive steps were not finite at step {}{}; lower the learning rate ({} {:.1g}) "
          "or the clip norm, then run the same command again",
          config_.training.max_bad_steps,
          bad.step,
          num_restores_ > 0
              ? fmt::format(", after {} restores of the newest valid checkpoint", num_restores_)
              : " and there is no checkpoint to restore",
          parts_.vocoder ? "--vocoder-learning-rate" : "--lr",
          config_.training.learning_rate / 2);
  restore(*newest.checkpoint, parts_, metadata_);
  saved_step_ = parts_.state.step;
  parts_.state.position = bad.position;
  parts_.state.skipped_steps = bad.skipped_steps;
  parts_.state.bad_in_a_row = 0;
  ++num_restores_;
}

}  // namespace myxtts::train
