#include "train/run_record.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "base/cpu_features.h"
#include "base/memory.h"
#include "base/threads.h"
#include "corpus/statistics.h"

namespace xtts::train {
namespace {

std::vector<std::int64_t> as_numbers(const std::vector<int>& cores) {
  return {cores.begin(), cores.end()};
}

std::optional<double> share_of_steps(const std::deque<verdict::Step>& steps,
                                     const pipeline::Signature& signature) {
  if (steps.empty()) return std::nullopt;
  const auto count =
      std::ranges::count(steps, pipeline::name_of(signature), &verdict::Step::signature);
  return static_cast<double>(count) / static_cast<double>(steps.size());
}

verdict::Settings settings_of(const RunMeasured& run) {
  const config::DataConfig& data = run.config.data;
  const config::TrainingConfig& training = run.config.training;
  verdict::Settings settings{.shape_mode = std::string(pipeline::name_of(run.plan.mode)),
                             .pad_to_fixed_length = data.pad_to_fixed_length,
                             .batch_size = data.batch_size,
                             .grad_accum = training.gradient_accumulation_steps,
                             .num_workers = run.lanes.num_workers,
                             .buffer = run.lanes.buffer_batches,
                             .cache = data.feature_cache,
                             .precision = training.precision,
                             .threads = run.lanes.model_threads,
                             .device = run.lanes.model.device.name(),
                             .mode = std::string(pipeline::name_of(run.lanes.mode)),
                             .model_cores = as_numbers(run.lanes.model.cores),
                             .data_cores = as_numbers(run.lanes.data.cores),
                             .loader_is_guest = run.lanes.loader_is_guest,
                             .trim_silence = data.trim_silence};
  for (const pipeline::Signature& signature : run.plan.known_shapes()) {
    settings.signatures.push_back({.batch = signature.batch,
                                   .text = signature.text,
                                   .mel = signature.mel,
                                   .share = share_of_steps(run.steps, signature)});
  }
  if (training.max_steps) settings.planned_steps = *training.max_steps;
  // A run that ends by steps or minutes may go through the corpus any number of times.
  if (!training.max_steps && !training.max_minutes) settings.planned_epochs = training.epochs;
  return settings;
}

verdict::Machine machine_now() {
  return {.cores = std::thread::hardware_concurrency(),
          .usable_cores = base::num_usable_cores(),
          .free_memory_bytes = base::free_memory_bytes(),
          .cpu_features = base::cpu_features()};
}

verdict::Corpus corpus_of(const Corpora& corpora) {
  std::vector<std::int64_t> texts;
  std::vector<std::int64_t> mels;
  for (const pipeline::Lengths& lengths : corpora.training.lengths()) {
    texts.push_back(lengths.text);
    mels.push_back(lengths.mel);
  }
  const auto good = static_cast<std::int64_t>(mels.size());
  const auto bad = static_cast<std::int64_t>(corpora.training.skipped.size());
  verdict::Corpus corpus{.utterances = good + bad};
  if (good == 0) return corpus;
  const corpus::LengthStats text = corpus::length_stats(std::move(texts));
  const corpus::LengthStats mel = corpus::length_stats(std::move(mels));
  corpus.mel_p50 = mel.percentile_50;
  corpus.mel_p95 = mel.percentile_95;
  corpus.mel_p99 = mel.percentile_99;
  corpus.mel_max = mel.max;
  corpus.text_p99 = text.percentile_99;
  corpus.text_max = text.max;
  corpus.bad_share = static_cast<double>(bad) / static_cast<double>(good + bad);
  return corpus;
}

}  // namespace

verdict::Record run_record(const RunMeasured& run) {
  verdict::Record record{.settings = settings_of(run),
                         .machine = machine_now(),
                         .corpus = corpus_of(run.corpora),
                         .steps = {run.steps.begin(), run.steps.end()},
                         .memory = {.resident_bytes = base::resident_bytes(),
                                    .peak_bytes = base::peak_resident_bytes()}};
  if (run.data.num_made > 0) {
    record.loading.update_cpu_s = run.data.busy_s / static_cast<double>(run.data.num_made);
  }
  return record;
}

}  // namespace xtts::train
