#include "train/checkpoint_manager_torch.h"

#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "checkpoint/checkpoint_metadata.h"
#include "config/resolve.h"
#include "config/write_yaml.h"

namespace xtts::train {
namespace {

constexpr int kMostReturns = 3;

}  // namespace

CheckpointManager::CheckpointManager(const std::filesystem::path& run,
                                     const config::Config& config,
                                     const RunMetadata& facts,
                                     const pipeline::FeatureSet& features,
                                     std::vector<torch::Tensor> speaker_clips,
                                     RunParts& parts,
                                     RunReport& report,
                                     RunWatchdog& watch)
    : checkpoints_(run / "checkpoints"),
      config_(config),
      facts_(facts),
      features_(features),
      speaker_clips_(std::move(speaker_clips)),
      parts_(parts),
      report_(report),
      watch_(watch),
      store_(checkpoints_) {}

bool CheckpointManager::resume() {
  store_.remove_unfinished();
  const checkpoint::NewestGood newest = store_.newest_good();
  for (const checkpoint::DamagedCheckpoint& broken : newest.broken)
    report_.broken_save(broken.folder.string(), broken.reason);
  require(newest.save.has_value() || newest.broken.empty(),
          "{} has saves and none of them is good: bring one back, or start anew with "
          "--reset-training, which moves them aside",
          checkpoints_.string());
  if (newest.save) {
    say_changes(*newest.save);
    restore(*newest.save, parts_, facts_);
    saved_step_ = parts_.state.step;
  }
  store_.require_space(checkpoint_bytes(parts_));
  return newest.save.has_value();
}

// Before it is taken over: if it does not fit, these lines say why.
void CheckpointManager::say_changes(const checkpoint::LoadedCheckpoint& save) {
  const std::string source = save.folder.string();
  const checkpoint::CheckpointMetadata saved =
      checkpoint::parse_checkpoint_metadata(save.config_json, source + "/config.json");
  const config::Config before = config::parse_yaml(saved.config_yaml, source).config;
  for (const config::Difference& one : config::differences(before, config_))
    report_.say(fmt::format(
        "[train] changed since the save: {} is {}, was {}\n", one.key, one.right, one.left));
  if (saved.threads == facts_.threads) return;
  report_.say(
      fmt::format("[train] {} threads, the save was made with {}: losses will differ in their last "
                  "digits from those of a run that never stopped\n",
                  facts_.threads,
                  saved.threads));
}

void CheckpointManager::write() {
  if (saved_step_ == parts_.state.step) return;
  const RunWatchdog::Watched watched(watch_, RunWork::kSave, parts_.state.step);
  const auto started = std::chrono::steady_clock::now();
  report_.flush();
  store_.require_space(checkpoint_bytes(parts_));
  write_checkpoint(store_, parts_, facts_, features_, speaker_means(parts_, speaker_clips_));
  saved_step_ = parts_.state.step;
  num_returns_ = 0;
  std::vector<std::int64_t> pinned = {parts_.state.best_step};
  if (parts_.state.judged_best) pinned.push_back(parts_.state.judged_best->step);
  store_.prune(config_.training.keep_checkpoints, pinned);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - started;
  report_.saved(parts_.state, taken.count());
}

void CheckpointManager::return_to_newest() {
  const TrainState bad = parts_.state;
  const checkpoint::NewestGood newest =
      num_returns_ < kMostReturns ? store_.newest_good() : checkpoint::NewestGood{};
  require(newest.save.has_value(),
          "{} updates in a row were not finite at step {}{}: lower the learning rate ({} {:.1g}) "
          "or the clip norm, then run the same command again",
          config_.training.max_bad_steps,
          bad.step,
          num_returns_ > 0 ? fmt::format(", after {} returns to the last good save", num_returns_)
                           : " and there is no save to go back to",
          parts_.vocoder ? "--vocoder-learning-rate" : "--lr",
          config_.training.learning_rate / 2);
  restore(*newest.save, parts_, facts_);
  saved_step_ = parts_.state.step;
  parts_.state.position = bad.position;
  parts_.state.skipped_steps = bad.skipped_steps;
  parts_.state.bad_in_a_row = 0;
  ++num_returns_;
}

}  // namespace xtts::train
