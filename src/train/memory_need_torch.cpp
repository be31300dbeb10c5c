#include "train/memory_need_torch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <malloc.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "config/presets.h"
#include "data/length_filter.h"
#include "data/run_plan.h"
#include "step/precision_torch.h"
#include "step/row_bytes_torch.h"

namespace myxtts::train {
namespace {

constexpr std::array<double, 6> kKeptShares = {0.98, 0.95, 0.9, 0.8, 0.65, 0.5};
constexpr std::int64_t kFrameGrid = 32;

std::vector<SignatureNeed> needs_of(RunParts& parts,
                                    const config::TrainingConfig& training,
                                    const data::ShapePlan& plan,
                                    const step::BatchProperties& properties) {
  std::vector<SignatureNeed> needs;
  for (const data::Signature& signature : plan.signatures) {
    base::check_interrupt();
    needs.push_back({.signature = signature,
                     .bytes = step::measure_row_bytes(*parts.objective,
                                                      parts.optimizer,
                                                      step::type_of(training.precision),
                                                      signature,
                                                      properties)});
  }
  return needs;
}

// Alternatives that filter more and more of the longest utterances.
std::vector<Alternative> shorter_utterances(const MemoryNeed& need,
                                            RunParts& parts,
                                            const config::Config& config,
                                            const Corpora& corpora,
                                            const step::BatchProperties& properties) {
  const std::vector<data::Lengths> lengths = corpora.training.lengths();
  std::vector<std::int64_t> mels;
  for (const data::Lengths& one : lengths)
    mels.push_back(one.mel);
  std::ranges::sort(mels);
  std::vector<Alternative> found;
  for (const double share : kKeptShares) {
    const auto rank = static_cast<std::size_t>(share * static_cast<double>(mels.size() - 1));
    const std::int64_t limit = (mels[rank] + kFrameGrid - 1) / kFrameGrid * kFrameGrid;
    data::ShapeSettings settings = data::shape_settings_of(config);
    settings.max_mel_frames = limit;
    try {
      const data::ShapePlan plan = data::plan_run(settings, lengths, {});
      const data::FilteredByLength filtered = data::filter_by_length(plan.limits, lengths);
      const MemoryNeed one{.resident_bytes = need.resident_bytes,
                           .pending_bytes = need.pending_bytes,
                           .buffer_bytes = need.buffer_bytes,
                           .checkpoint_bytes = need.checkpoint_bytes,
                           .signatures = needs_of(parts, config.training, plan, properties)};
      found.push_back({.flags = fmt::format("--max-mel-frames {}", limit),
                       .drawback = fmt::format("filters {:.1f} % of the utterances, {:.1f} % of "
                                               "the hours",
                                               100.0 * filtered.utterance_share,
                                               100.0 * filtered.frame_share),
                       .total_bytes = one.total_bytes()});
    } catch (const UsageError&) {
      break;  // more than half would be filtered
    }
  }
  return found;
}

// Alternatives with crops of half the length, a quarter, and so on.
std::vector<Alternative> shorter_crops(const MemoryNeed& need,
                                       RunParts& parts,
                                       const config::Config& config,
                                       const step::BatchProperties& properties) {
  std::vector<Alternative> found;
  const data::Signature& now = need.signatures.back().signature;
  const int shortest = config::longest_fft_of(config);
  int hops = config.model.vocoder_crop_frames / 2;
  for (; hops * config.model.hop_length >= shortest; hops /= 2) {
    const data::ShapePlan plan =
        data::fixed_shape_plan({.batch = now.batch,
                                .text = 0,
                                .mel = hops + 1,
                                .samples = std::int64_t{hops} * config.model.hop_length});
    const MemoryNeed one{.resident_bytes = need.resident_bytes,
                         .pending_bytes = need.pending_bytes,
                         .buffer_bytes = need.buffer_bytes,
                         .checkpoint_bytes = need.checkpoint_bytes,
                         .signatures = needs_of(parts, config.training, plan, properties)};
    found.push_back({.flags = fmt::format("--vocoder-crop-frames {}", hops),
                     .drawback = "shorter crops per utterance",
                     .total_bytes = one.total_bytes()});
  }
  return found;
}

// Returns the preset sizes of `key` below `size`, largest first.
std::vector<std::string> smaller_sizes(std::string_view key, const std::string& size) {
  std::vector<std::string> smaller;
  for (const config::PresetTable& table : config::preset_tables()) {
    if (table.key != key) continue;
    for (const char* name : table.names) {
      if (name == size) break;
      smaller.insert(smaller.begin(), name);
    }
  }
  return smaller;
}

// Returns the configuration with another model size; settings that do not depend on the size stay.
config::Config with_model_size(const config::Config& config, const std::string& size) {
  config::Config other = config;
  other.model.model_size = size;
  other.model = config::preset_defaults_of(other).model;
  other.model.n_mels = config.model.n_mels;
  other.model.decoder_crop_frames = config.model.decoder_crop_frames;
  other.model.decoder = config.model.decoder;
  other.model.mel_discriminator_channels = config.model.mel_discriminator_channels;
  other.model.use_energy_predictor = config.model.use_energy_predictor;
  return other;
}

config::Config with_vocoder_size(const config::Config& config, const std::string& size) {
  config::Config other = config;
  other.model.vocoder_size = size;
  const config::ModelConfig sizes = config::preset_defaults_of(other).model;
  other.model.vocoder_initial_channel = sizes.vocoder_initial_channel;
  other.model.vocoder_layers = sizes.vocoder_layers;
  other.model.vocoder_ffn_dim = sizes.vocoder_ffn_dim;
  return other;
}

std::vector<Alternative> smaller_models(const MemoryNeed& need,
                                        const RunParts& parts,
                                        const config::Config& config,
                                        const data::ShapePlan& plan,
                                        const step::BatchProperties& properties) {
  const bool is_voice = parts.voice != nullptr;
  const char* key = is_voice ? "model.model_size" : "model.vocoder_size";
  const std::string& now = is_voice ? config.model.model_size : config.model.vocoder_size;
  std::vector<Alternative> found;
  for (const std::string& size : smaller_sizes(key, now)) {
    RunParts small(is_voice ? with_model_size(config, size) : with_vocoder_size(config, size),
                   parts.num_symbols,
                   is_voice ? Task::kVoice : Task::kVocoder);
    const double saved_bytes =
        5.0 * 4.0 *  // weights, gradients, two moments, EMA; float32
        static_cast<double>(parts.parameters().num_elements() - small.parameters().num_elements());
    const MemoryNeed one{.resident_bytes = need.resident_bytes - saved_bytes,
                         .pending_bytes = need.pending_bytes,
                         .buffer_bytes = need.buffer_bytes,
                         .checkpoint_bytes = static_cast<double>(checkpoint_bytes(small)),
                         .signatures = needs_of(small, config.training, plan, properties)};
    found.push_back(
        {.flags = fmt::format("{} {}", is_voice ? "--model-size" : "--vocoder-size", size),
         .drawback = "",
         .total_bytes = one.total_bytes()});
  }
  return found;
}

MemoryBudget budget_of(const MemoryNeed& need, const config::TrainingConfig& training) {
  return memory_budget(
      training.memory_budget, need.resident_bytes, static_cast<double>(base::free_memory_bytes()));
}

}  // namespace

MemoryNeed measure_memory(RunParts& parts,
                          const config::TrainingConfig& training,
                          const data::ShapePlan& plan,
                          const step::BatchProperties& properties) {
  MemoryNeed need;
  if (parts.device.is_cpu()) need.signatures = needs_of(parts, training, plan, properties);
  parts.optimizer.zero_gradients();
  malloc_trim(0);
  need.resident_bytes = static_cast<double>(base::resident_bytes());
  need.checkpoint_bytes = static_cast<double>(checkpoint_bytes(parts));
  return need;
}

double bytes_left(const MemoryNeed& need, const config::TrainingConfig& training) {
  return budget_of(need, training).bytes - need.total_bytes();
}

void require_memory(const MemoryNeed& need,
                    RunParts& parts,
                    const config::Config& config,
                    const Corpora& corpora,
                    const data::ShapePlan& plan,
                    const step::BatchProperties& properties) {
  const MemoryBudget budget = budget_of(need, config.training);
  if (need.total_bytes() <= budget.bytes) return;
  throw UsageError(format_memory_refusal(
      need,
      budget,
      config.data.batch_size,
      config.training.gradient_accumulation_steps,
      parts.voice ? shorter_utterances(need, parts, config, corpora, properties)
                  : shorter_crops(need, parts, config, properties),
      smaller_models(need, parts, config, plan, properties)));
}

}  // namespace myxtts::train
