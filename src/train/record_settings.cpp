#include "train/record_settings.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "corpus/statistics.h"
#include "data/run_plan.h"

namespace myxtts::train {
namespace {

std::vector<std::int64_t> as_numbers(const std::vector<int>& cores) {
  return {cores.begin(), cores.end()};
}

std::optional<double> planned_epochs_of(const config::Config& config, double num_utterances) {
  const config::TrainingConfig& training = config.training;
  if (training.max_steps)
    return static_cast<double>(*training.max_steps) * config.data.batch_size / num_utterances;
  if (training.max_minutes) return std::nullopt;
  return training.epochs;
}

}  // namespace

rules::Settings record_settings(const config::Config& config,
                                const data::LanePlan& lanes,
                                std::int64_t num_utterances) {
  const config::DataConfig& data = config.data;
  const auto utterances = static_cast<double>(std::max<std::int64_t>(1, num_utterances));
  rules::Settings settings{.shape_mode = std::string(name_of(data::shape_settings_of(config).mode)),
                           .pad_to_fixed_length = data.pad_to_fixed_length,
                           .batch_size = data.batch_size,
                           .grad_accum = config.training.gradient_accumulation_steps,
                           .num_workers = lanes.num_workers,
                           .buffer = lanes.buffer_batches,
                           .cache = data.feature_cache,
                           .threads = lanes.model_threads,
                           .device = lanes.model.device.name(),
                           .mode = std::string(name_of(lanes.mode)),
                           .model_cores = as_numbers(lanes.model.cores),
                           .data_cores = as_numbers(lanes.data.cores),
                           .loader_is_idle_priority = lanes.loader_is_idle_priority,
                           .trim_silence = data.trim_silence,
                           .planned_epochs = planned_epochs_of(config, utterances)};
  if (config::precision_of(config) != "auto") settings.precision = config::precision_of(config);
  if (settings.planned_epochs) {
    settings.planned_steps =
        static_cast<std::int64_t>(*settings.planned_epochs * utterances / data.batch_size);
  }
  return settings;
}

rules::CorpusStats record_lengths(std::span<const data::Lengths> all) {
  if (all.empty()) return {};
  std::vector<std::int64_t> texts;
  std::vector<std::int64_t> mels;
  for (const data::Lengths& lengths : all) {
    texts.push_back(lengths.text);
    mels.push_back(lengths.mel);
  }
  const corpus::LengthStats text = corpus::length_stats(std::move(texts));
  const corpus::LengthStats mel = corpus::length_stats(std::move(mels));
  return {.mel_p50 = mel.percentile_50,
          .mel_p95 = mel.percentile_95,
          .mel_p99 = mel.percentile_99,
          .mel_max = mel.max,
          .text_p99 = text.percentile_99,
          .text_max = text.max};
}

}  // namespace myxtts::train
