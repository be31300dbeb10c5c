#include "train/corpora.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/sha256.h"
#include "base/terminal.h"
#include "corpus/held_out.h"
#include "corpus/locate.h"
#include "corpus/reader.h"
#include "data/mel_placement.h"
#include "data/run_plan.h"
#include "data/unreadable_utterances.h"

namespace myxtts::train {
namespace {

struct CorpusPair {
  corpus::Corpus training;
  std::optional<corpus::Corpus> validation;
  std::vector<std::string> notes;
};

// Moves a share of the utterances from `training` to a validation set.
corpus::Corpus hold_out(corpus::Corpus& training, double share) {
  corpus::Corpus validation = training;
  validation.problems.clear();
  std::erase_if(validation.utterances,
                [&](const corpus::Utterance& one) { return !corpus::is_held_out(one.id, share); });
  std::erase_if(training.utterances,
                [&](const corpus::Utterance& one) { return corpus::is_held_out(one.id, share); });
  return validation;
}

CorpusPair find_corpora(const config::DataConfig& data) {
  const std::filesystem::path folder = corpus::locate_corpus(data.dataset_path, data);
  CorpusPair found{.training = corpus::read_corpus(folder, data), .validation = {}, .notes = {}};
  found.notes.push_back(fmt::format("training: {}", corpus::format_corpus(found.training)));

  if (data.val_dataset_path) {
    const std::filesystem::path other = *data.val_dataset_path;
    corpus::require_folder(other);
    const std::vector<corpus::Split> splits = corpus::splits_in(other, data);
    const bool has_own = std::ranges::find(splits, corpus::Split::kValidation) != splits.end();
    found.validation = corpus::read_corpus(
        other, data, has_own ? corpus::Split::kValidation : corpus::Split::kTrain);
  } else {
    const std::vector<corpus::Split> splits = corpus::splits_in(folder, data);
    if (std::ranges::find(splits, corpus::Split::kValidation) != splits.end()) {
      found.validation = corpus::read_corpus(folder, data, corpus::Split::kValidation);
    }
  }
  if (found.validation) {
    found.notes.push_back(fmt::format("validation: {}", corpus::format_corpus(*found.validation)));
  } else if (data.val_split > 0.0) {
    found.validation = hold_out(found.training, data.val_split);
    found.notes.push_back(fmt::format("validation: {} utterances held out (data.val_split {})",
                                      found.validation->utterances.size(),
                                      data.val_split));
  } else {
    found.notes.push_back("validation: none (data.val_split is 0)");
  }
  return found;
}

data::FeatureSet load(const corpus::Corpus& corpus,
                      const config::Config& config,
                      int num_workers,
                      const data::MelPlacement& placement,
                      const char* label) {
  base::ProgressBar bar(label, corpus.utterances.size());
  return data::load_features(
      corpus, config, num_workers, [&bar](std::size_t count) { bar.advance(count); }, placement);
}

std::string format_cache_counts(const data::CacheCounts& counts, const config::DataConfig& data) {
  return fmt::format("cache: {} of {} recordings found in {} ({:.1f} MB written)",
                     counts.hits,
                     counts.hits + counts.misses,
                     data::cache_folder_of(data).string(),
                     static_cast<double>(counts.bytes_written) / 1e6);
}

void check_features(const data::FeatureSet& features, const corpus::Corpus& corpus) {
  const std::size_t bad = features.skipped.size();
  const std::size_t all = features.utterances.size() + bad;
  const std::string example =
      bad == 0 ? "" : fmt::format(" ({})", format_skipped(features.skipped[0]));
  require(!features.utterances.empty(),
          "{}: none of {} utterances is usable{}; list the reasons with: myxtts corpus check {}",
          corpus.root.string(),
          all,
          example,
          corpus.root.string());
  require(
      static_cast<double>(bad) <= data::kMaxUnreadableShare * static_cast<double>(all),
      "{} of {} utterances are unusable{}, at most {:.0f} % are allowed; list them with: myxtts "
      "corpus check {}",
      bad,
      all,
      example,
      100.0 * data::kMaxUnreadableShare,
      corpus.root.string());
}

}  // namespace

Corpora load_corpora(const config::Config& config,
                     int num_workers,
                     const std::shared_ptr<const data::MelExtractor>& extractor,
                     std::size_t max_utterances,
                     Task task) {
  const auto start = std::chrono::steady_clock::now();
  CorpusPair found = find_corpora(config.data);
  if (found.training.utterances.size() > max_utterances) {
    found.training.utterances = corpus::sample_evenly(found.training.utterances, max_utterances);
    found.notes.push_back(fmt::format("training: a sample of {} utterances", max_utterances));
  }
  Corpora corpora;
  corpora.notes = found.notes;
  corpora.training_root = found.training.root;
  if (found.validation) corpora.validation_root = found.validation->root;
  double audio_bytes = data::audio_bytes_of(found.training);
  if (found.validation) audio_bytes += data::audio_bytes_of(*found.validation);
  data::MelPlacement placement = data::placement_of(
      config,
      audio_bytes,
      static_cast<double>(base::free_memory_bytes()),
      [](const std::string& text) { base::log("[cache] {}\n", text); },
      extractor);
  if (task == Task::kVocoder) placement.crop_hops = config.model.vocoder_crop_frames;
  corpora.mel_extractor = placement.extractor->name();
  corpora.training = load(found.training, config, num_workers, placement, "features");
  check_features(corpora.training, found.training);
  if (found.validation && !found.validation->utterances.empty()) {
    corpora.validation =
        load(*found.validation, config, num_workers, placement, "features for validation");
  }
  if (placement.cache) {
    corpora.notes.push_back(format_cache_counts(placement.cache->counts(), config.data));
  }
  corpora.cache = placement.cache;
  corpora.loading_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return corpora;
}

std::string format_skipped(const corpus::Problem& problem) {
  return fmt::format("{}: {}: {}", problem.id, problem.reason, problem.detail);
}

std::string format_extractor_change(const std::string& in_checkpoint, const std::string& now) {
  if (in_checkpoint.empty() || in_checkpoint == now) return {};
  return fmt::format(
      "[train] mel extractor is '{}' in the checkpoint and '{}' now; mels differ in their last "
      "digits, so the resumed run is not bit-identical\n",
      in_checkpoint,
      now);
}

data::ShapePlan plan_of(const config::Config& config, const Corpora& corpora) {
  if (corpora.training.crop_hops > 0)
    return data::plan_waveforms(config, std::ssize(corpora.training.utterances));
  return data::plan_run(
      data::shape_settings_of(config), corpora.training.lengths(), corpora.validation.lengths());
}

std::string corpus_hash(const data::FeatureSet& features,
                        const data::ShapePlan& plan,
                        int grad_accum) {
  std::string content = plan.is_dynamic() ? "dynamic\n" : "";
  if (grad_accum > 1) content += fmt::format("{} micro-batches\n", grad_accum);
  for (const data::Signature& signature : plan.signatures)
    content += data::name_of(signature) + "\n";
  for (std::size_t i = 0; i < features.utterances.size(); ++i) {
    const data::Features& one = features.utterances[i];
    content += fmt::format("{}|{}|{}{}\n",
                           one.id,
                           one.text.size(),
                           one.num_frames,
                           plan.find_signature(features.lengths_of(i)) ? "" : "|left out");
  }
  return base::sha256_hex(content);
}

}  // namespace myxtts::train
