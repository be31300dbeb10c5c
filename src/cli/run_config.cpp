#include "cli/run_config.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <utility>

#include "checkpoint/save_store.h"
#include "corpus/locate.h"
#include "train/evaluation.h"
#include "train/run_folder.h"

namespace xtts::cli {
namespace {

constexpr std::array kLengthKeys = {
    "training.epochs", "training.max_steps", "training.max_minutes"};

// A length that is given takes the place of whatever length the run had before.
void forget_other_lengths(config::Resolved& resolved, const std::string& run_file) {
  const auto origin = [&](const std::string& key) {
    const auto found = resolved.origins.find(key);
    return found == resolved.origins.end() ? std::string() : found->second;
  };
  const auto of_run = [&](const std::string& key) { return origin(key).starts_with(run_file); };
  const bool given = std::ranges::any_of(
      kLengthKeys, [&](const char* key) { return !origin(key).empty() && !of_run(key); });
  if (!given) return;
  if (of_run("training.max_steps")) resolved.config.training.max_steps.reset();
  if (of_run("training.max_minutes")) resolved.config.training.max_minutes.reset();
}

}  // namespace

config::Resolved resolve_run(config::Layers layers, bool reset_training) {
  config::Resolved first = config::resolve(layers);
  const std::filesystem::path run = first.config.training.checkpoint_dir;
  const std::filesystem::path run_file = run / "config.yaml";
  if (reset_training || !train::has_saves(run) || !std::filesystem::exists(run_file)) {
    return first;
  }
  layers.run_file = run_file;
  config::Resolved resolved = config::resolve(layers);
  forget_other_lengths(resolved, run_file.string());
  resolved.config.training.checkpoint_dir = run.string();
  return resolved;
}

void make_paths_absolute(config::Config& config) {
  config.data.dataset_path =
      std::filesystem::absolute(corpus::locate_corpus(config.data.dataset_path, config.data))
          .lexically_normal()
          .string();
  if (config.data.val_dataset_path) {
    corpus::require_folder(*config.data.val_dataset_path);
    config.data.val_dataset_path =
        std::filesystem::absolute(*config.data.val_dataset_path).lexically_normal().string();
  }
  if (config.data.mels_from) {
    checkpoint::require_run_or_save(*config.data.mels_from);
    config.data.mels_from =
        std::filesystem::absolute(*config.data.mels_from).lexically_normal().string();
  }
  train::sentences_to_judge(config.training);  // the trainer reads them after all recordings
  if (config.training.evaluate_text) {
    config.training.evaluate_text =
        std::filesystem::absolute(*config.training.evaluate_text).lexically_normal().string();
  }
}

}  // namespace xtts::cli
