#include "train/run_record.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/cpu_features.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/collator.h"
#include "text/espeak.h"
#include "train/format_run.h"
#include "train/record_settings.h"

namespace myxtts::train {
namespace {

std::optional<double> share_of_steps(const std::deque<rules::Step>& steps,
                                     const data::Signature& signature) {
  if (steps.empty()) return std::nullopt;
  const auto count = std::ranges::count(steps, data::name_of(signature), &rules::Step::signature);
  return static_cast<double>(count) / static_cast<double>(steps.size());
}

rules::Settings settings_of(const RunMeasurements& run) {
  rules::Settings settings =
      record_settings(run.config, run.lanes, std::ssize(run.corpora.training.utterances));
  settings.shape_mode = std::string(data::name_of(run.plan.mode));
  settings.precision = run.config.training.precision;
  for (const data::Signature& signature : run.plan.known_shapes()) {
    settings.signatures.push_back({.batch = signature.batch,
                                   .text = signature.text,
                                   .mel = signature.mel,
                                   .share = share_of_steps(run.steps, signature)});
  }
  return settings;
}

rules::Machine machine_now(const RunMeasurements& run) {
  return {.cores = base::num_cores(),
          .usable_cores = base::num_usable_cores(),
          .load_by_others = run.load_by_others,
          .total_memory_bytes = base::total_memory_bytes(),
          .free_memory_bytes = base::free_memory_bytes(),
          .cpu_features = base::cpu_features(),
          .bf16_works = run.bf16_works,
          .bf16_gain = run.bf16_gain};
}

// Returns the most frequent reason.
std::optional<std::string> most_frequent_reason(const std::vector<corpus::Problem>& problems) {
  std::map<std::string, std::int64_t> counts;
  for (const corpus::Problem& problem : problems)
    ++counts[problem.reason];
  if (counts.empty()) return std::nullopt;
  return std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; })
      ->first;
}

rules::CorpusStats corpus_of(const Corpora& corpora, double frame_s) {
  const std::vector<data::Lengths> lengths = corpora.training.lengths();
  const std::vector<corpus::Problem>& bad = corpora.training.skipped;
  const std::size_t all = lengths.size() + bad.size();
  rules::CorpusStats corpus = record_lengths(lengths);
  corpus.utterances = static_cast<std::int64_t>(all);
  corpus.bad_reason = most_frequent_reason(bad);
  if (lengths.empty()) return corpus;
  corpus.bad_share = static_cast<double>(bad.size()) / static_cast<double>(all);
  double frames = 0.0;
  for (const data::Features& one : corpora.training.utterances)
    frames += static_cast<double>(one.num_frames);
  corpus.hours = frame_s * frames / 3600.0;
  return corpus;
}

rules::Cache cache_of(const Corpora& corpora) {
  if (!corpora.cache) return {};
  const data::CacheCounts counts = corpora.cache->counts();
  return {.hits = static_cast<std::int64_t>(counts.hits),
          .misses = static_cast<std::int64_t>(counts.misses),
          .bytes = static_cast<std::int64_t>(counts.bytes_held),
          .limit_bytes = static_cast<std::int64_t>(counts.limit_bytes),
          .stopped = counts.has_stopped};
}

// Without a configured budget, the limit is the free memory, which the rules know.
rules::Memory memory_of(const RunMeasurements& run) {
  rules::Memory memory{.resident_bytes = base::resident_bytes(),
                       .peak_bytes = base::peak_resident_bytes(),
                       .need_bytes = static_cast<std::int64_t>(run.memory.total_bytes())};
  const std::string& budget = run.config.training.memory_budget;
  if (budget != "auto") {
    memory.budget_bytes =
        static_cast<std::int64_t>(memory_budget(budget, /*resident=*/0.0, /*free=*/0.0).bytes);
  }
  return memory;
}

// Multiply-adds are the mean over the steps of the run.
rules::Model arithmetic_of(const RunMeasurements& run) {
  const std::int64_t reference_frames = data::reference_frames_of(run.config);
  double weighted = 0.0;
  double weights = 0.0;
  for (const data::Signature& signature : run.plan.known_shapes()) {
    const double weight = share_of_steps(run.steps, signature).value_or(0.0);
    weighted += weight * multiply_adds_of(run.config.model, signature, reference_frames);
    weights += weight;
  }
  rules::Model model{.parameters = run.num_parameters,
                     .machine_multiply_adds_per_s = run.matmul_speed};
  if (weights > 0.0)
    model.multiply_adds = run.config.training.gradient_accumulation_steps * weighted / weights;
  return model;
}

}  // namespace

rules::Record run_record(const RunMeasurements& run) {
  const config::ModelConfig& model = run.config.model;
  const double frame_s = static_cast<double>(model.hop_length) / model.sample_rate;
  rules::Record record{.settings = settings_of(run),
                       .machine = machine_now(run),
                       .corpus = corpus_of(run.corpora, frame_s),
                       .steps = {run.steps.begin(), run.steps.end()},
                       .cache = cache_of(run.corpora),
                       .memory = memory_of(run),
                       .model = arithmetic_of(run)};
  record.loading.preparation_s = run.corpora.loading_s;
  if (run.config.data.use_phonemes) record.loading.text_restarts = text::num_espeak_restarts();
  if (run.data.num_batches > 0) {
    record.loading.batch_cpu_s = run.data.busy_s / static_cast<double>(run.data.num_batches);
  }
  return record;
}

}  // namespace myxtts::train
