#include "train/run_config.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "audio/mel_spec.h"
#include "base/terminal.h"
#include "corpus/locate.h"
#include "synthesis/voice_metadata.h"
#include "train/evaluation.h"
#include "train/run_folder.h"

namespace myxtts::train {
namespace {

constexpr std::array kLengthKeys = {
    "training.epochs", "training.max_steps", "training.max_minutes"};

// A given run length replaces the recorded lengths of the run.
void drop_recorded_lengths(config::Resolved& resolved, const std::string& run_file) {
  const auto origin = [&](const std::string& key) {
    const auto found = resolved.origins.find(key);
    return found == resolved.origins.end() ? std::string() : found->second;
  };
  const auto is_recorded = [&](const std::string& key) {
    return origin(key).starts_with(run_file);
  };
  const bool given = std::ranges::any_of(
      kLengthKeys, [&](const char* key) { return !origin(key).empty() && !is_recorded(key); });
  if (!given) return;
  if (is_recorded("training.max_steps")) resolved.config.training.max_steps.reset();
  if (is_recorded("training.max_minutes")) resolved.config.training.max_minutes.reset();
}

// Returns the absolute path without a trailing slash.
std::string absolute_of(const std::filesystem::path& path) {
  const std::filesystem::path normal = std::filesystem::absolute(path).lexically_normal();
  return (normal.has_filename() ? normal : normal.parent_path()).string();
}

// If data.mels_from names the run of the recorded checkpoint, keeps that checkpoint while it
// exists, because a voice trained further gives other mels.
void keep_mels_checkpoint(config::DataConfig& data, const std::filesystem::path& run_file) {
  const std::optional<std::string> before = config::read_file(run_file).config.data.mels_from;
  if (!before || !data.mels_from || !checkpoint::looks_complete(*before)) return;
  const std::filesystem::path named = checkpoint::checkpoints_of(absolute_of(*data.mels_from));
  std::error_code ignored;
  if (std::filesystem::equivalent(named, std::filesystem::path(*before).parent_path(), ignored)) {
    data.mels_from = before;
  }
}

}  // namespace

config::Resolved resolve_run(config::Layers layers, bool reset_training) {
  config::Resolved first = config::resolve(layers);
  const std::filesystem::path run = first.config.training.checkpoint_dir;
  const std::filesystem::path run_file = run / "config.yaml";
  if (reset_training || !train::has_checkpoints(run) || !std::filesystem::exists(run_file)) {
    return first;
  }
  layers.run_file = run_file;
  config::Resolved resolved = config::resolve(layers);
  drop_recorded_lengths(resolved, run_file.string());
  keep_mels_checkpoint(resolved.config.data, run_file);
  resolved.config.training.checkpoint_dir = run.string();
  return resolved;
}

std::optional<checkpoint::LoadedCheckpoint> select_mels_checkpoint(config::DataConfig& data) {
  if (!data.mels_from) return std::nullopt;
  std::filesystem::path named = absolute_of(*data.mels_from);
  std::error_code ignored;
  const bool is_missing = checkpoint::is_checkpoint(named) &&
                          !std::filesystem::exists(named, ignored) &&
                          std::filesystem::exists(named.parent_path(), ignored);
  if (is_missing) {
    base::log(
        "[config] warning: {} no longer exists; using the newest checkpoint of its run for the "
        "mels\n",
        named.string());
    named = named.parent_path();
  }
  checkpoint::LoadedCheckpoint loaded = checkpoint::find_checkpoint(named);
  data.mels_from = absolute_of(loaded.folder);
  return loaded;
}

void select_mels_checkpoint_for(config::Config& config) {
  if (const auto loaded = select_mels_checkpoint(config.data))
    synthesis::metadata_of_mel_source(*loaded, audio::mel_spec_of(config));
}

void make_paths_absolute(config::Config& config) {
  config.data.dataset_path =
      absolute_of(corpus::locate_corpus(config.data.dataset_path, config.data));
  if (config.data.val_dataset_path) {
    corpus::require_folder(*config.data.val_dataset_path);
    config.data.val_dataset_path = absolute_of(*config.data.val_dataset_path);
  }
  train::evaluation_sentences(
      config.training);  // checked here, because the trainer reads them late
  if (config.training.evaluate_text) {
    config.training.evaluate_text = absolute_of(*config.training.evaluate_text);
  }
}

}  // namespace myxtts::train
