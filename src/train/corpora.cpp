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
#include "corpus/held_back.h"
#include "corpus/locate.h"
#include "corpus/reader.h"
#include "pipeline/mel_placement.h"
#include "pipeline/run_plan.h"
#include "pipeline/unreadable_utterances.h"

namespace xtts::train {
namespace {

struct Found {
  corpus::Corpus training;
  std::optional<corpus::Corpus> validation;
  std::vector<std::string> notes;
};

// Moves the utterances that are held back out of `training`.
corpus::Corpus hold_back(corpus::Corpus& training, double share) {
  corpus::Corpus validation = training;
  validation.problems.clear();
  std::erase_if(validation.utterances,
                [&](const corpus::Utterance& one) { return !corpus::is_held_back(one.id, share); });
  std::erase_if(training.utterances,
                [&](const corpus::Utterance& one) { return corpus::is_held_back(one.id, share); });
  return validation;
}

Found find_corpora(const config::DataConfig& data) {
  const std::filesystem::path folder = corpus::locate_corpus(data.dataset_path, data);
  Found found{.training = corpus::read_corpus(folder, data), .validation = {}, .notes = {}};
  found.notes.push_back(fmt::format("training: {}", corpus::describe(found.training)));

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
    found.notes.push_back(fmt::format("validation: {}", corpus::describe(*found.validation)));
  } else if (data.val_split > 0.0) {
    found.validation = hold_back(found.training, data.val_split);
    found.notes.push_back(fmt::format("validation: {} utterances held back (data.val_split {})",
                                      found.validation->utterances.size(),
                                      data.val_split));
  } else {
    found.notes.push_back("validation: none (data.val_split is 0)");
  }
  return found;
}

pipeline::FeatureSet load(const corpus::Corpus& corpus,
                          const config::Config& config,
                          int num_workers,
                          const pipeline::MelPlacement& placement,
                          const char* label) {
  base::ProgressBar bar(label, corpus.utterances.size());
  return pipeline::load_features(
      corpus, config, num_workers, [&bar](std::size_t count) { bar.advance(count); }, placement);
}

std::string describe_cache(const pipeline::CacheCounts& counts, const config::DataConfig& data) {
  return fmt::format("cache: {} of {} recordings found in {} ({:.1f} MB written)",
                     counts.hits,
                     counts.hits + counts.misses,
                     pipeline::cache_folder_of(data).string(),
                     static_cast<double>(counts.bytes_written) / 1e6);
}

void check_features(const pipeline::FeatureSet& features, const corpus::Corpus& corpus) {
  const std::size_t bad = features.skipped.size();
  const std::size_t all = features.utterances.size() + bad;
  const std::string example =
      bad == 0 ? "" : fmt::format(" ({})", skipped_line(features.skipped[0]));
  require(!features.utterances.empty(),
          "{} has no usable utterance of {}{}; see why with: myxtts corpus check {}",
          corpus.root.string(),
          all,
          example,
          corpus.root.string());
  require(
      static_cast<double>(bad) <= pipeline::kMostBadShare * static_cast<double>(all),
      "{} of {} utterances are bad{}, more than {:.0f} %; see them with: myxtts corpus check {}",
      bad,
      all,
      example,
      100.0 * pipeline::kMostBadShare,
      corpus.root.string());
}

}  // namespace

Corpora load_corpora(const config::Config& config,
                     int num_workers,
                     const std::shared_ptr<const pipeline::MelExtractor>& maker,
                     std::size_t most_utterances,
                     Task trained) {
  const auto start = std::chrono::steady_clock::now();
  Found found = find_corpora(config.data);
  if (found.training.utterances.size() > most_utterances) {
    found.training.utterances = corpus::even_sample(found.training.utterances, most_utterances);
    found.notes.push_back(fmt::format("training: a sample of {} utterances", most_utterances));
  }
  Corpora corpora;
  corpora.notes = found.notes;
  corpora.training_root = found.training.root;
  if (found.validation) corpora.validation_root = found.validation->root;
  double audio_bytes = pipeline::audio_bytes_of(found.training);
  if (found.validation) audio_bytes += pipeline::audio_bytes_of(*found.validation);
  pipeline::MelPlacement placement = pipeline::placement_of(
      config,
      audio_bytes,
      static_cast<double>(base::free_memory_bytes()),
      [](const std::string& text) { base::say("[cache] {}\n", text); },
      maker);
  if (trained == Task::kVocoder) placement.crop_hops = config.model.vocoder_crop_frames;
  corpora.mel_maker = placement.maker->name();
  corpora.training = load(found.training, config, num_workers, placement, "features");
  check_features(corpora.training, found.training);
  if (found.validation && !found.validation->utterances.empty()) {
    corpora.validation =
        load(*found.validation, config, num_workers, placement, "features for validation");
  }
  if (placement.cache) {
    corpora.notes.push_back(describe_cache(placement.cache->counts(), config.data));
  }
  corpora.cache = placement.cache;
  corpora.loading_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return corpora;
}

std::string skipped_line(const corpus::Problem& problem) {
  return fmt::format("{}: {}: {}", problem.id, problem.reason, problem.detail);
}

std::string other_mels_line(const std::string& of_the_save, const std::string& now) {
  if (of_the_save.empty() || of_the_save == now) return {};
  return fmt::format(
      "[train] the mels of the save were made by '{}', those of this start by '{}': they differ in "
      "their last digits, so it goes on, but not to the bit\n",
      of_the_save,
      now);
}

pipeline::ShapePlan plan_of(const config::Config& config, const Corpora& corpora) {
  if (corpora.training.crop_hops > 0)
    return pipeline::plan_waveforms(config, std::ssize(corpora.training.utterances));
  return pipeline::plan_run(pipeline::shape_settings_of(config),
                            corpora.training.lengths(),
                            corpora.validation.lengths());
}

std::string corpus_hash(const pipeline::FeatureSet& features,
                        const pipeline::ShapePlan& plan,
                        int grad_accum) {
  std::string facts = plan.is_dynamic() ? "dynamic\n" : "";
  if (grad_accum > 1) facts += fmt::format("{} micro-batches\n", grad_accum);
  for (const pipeline::Signature& signature : plan.signatures)
    facts += pipeline::name_of(signature) + "\n";
  for (std::size_t i = 0; i < features.utterances.size(); ++i) {
    const pipeline::Features& one = features.utterances[i];
    facts += fmt::format("{}|{}|{}{}\n",
                         one.id,
                         one.text.size(),
                         one.num_frames,
                         plan.place(features.lengths_of(i)) ? "" : "|left out");
  }
  return base::sha256_hex(facts);
}

}  // namespace xtts::train
