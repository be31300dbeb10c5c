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
#include "pipeline/left_out.h"
#include "pipeline/run_plan.h"
#include "step/precision_torch.h"
#include "step/row_bytes_torch.h"

namespace xtts::train {
namespace {

constexpr std::array<double, 6> kKeptShares = {0.98, 0.95, 0.9, 0.8, 0.65, 0.5};
constexpr std::int64_t kFrameGrid = 32;

std::vector<SignatureNeed> needs_of(RunParts& parts,
                                    const config::TrainingConfig& training,
                                    const pipeline::ShapePlan& plan,
                                    const step::BatchFacts& facts) {
  std::vector<SignatureNeed> needs;
  for (const pipeline::Signature& signature : plan.signatures) {
    base::check_interrupt();
    needs.push_back({.signature = signature,
                     .bytes = step::measure_row_bytes(*parts.objective,
                                                      parts.optimizer,
                                                      step::type_of(training.precision),
                                                      signature,
                                                      facts)});
  }
  return needs;
}

// Without the longest utterances, more of them from one to the next.
std::vector<Alternative> shorter_ones(const MemoryNeed& need,
                                      RunParts& parts,
                                      const config::Config& config,
                                      const Corpora& corpora,
                                      const step::BatchFacts& facts) {
  const std::vector<pipeline::Lengths> lengths = corpora.training.lengths();
  std::vector<std::int64_t> mels;
  for (const pipeline::Lengths& one : lengths)
    mels.push_back(one.mel);
  std::ranges::sort(mels);
  std::vector<Alternative> found;
  for (const double share : kKeptShares) {
    const auto rank = static_cast<std::size_t>(share * static_cast<double>(mels.size() - 1));
    const std::int64_t limit = (mels[rank] + kFrameGrid - 1) / kFrameGrid * kFrameGrid;
    pipeline::ShapeSettings settings = pipeline::shape_settings_of(config);
    settings.max_mel_frames = limit;
    try {
      const pipeline::ShapePlan plan = pipeline::plan_run(settings, lengths, {});
      const pipeline::LeftOut left_out = pipeline::left_out_by(plan.limits, lengths);
      const MemoryNeed one{.resident_bytes = need.resident_bytes,
                           .buffer_bytes = need.buffer_bytes,
                           .save_bytes = need.save_bytes,
                           .signatures = needs_of(parts, config.training, plan, facts)};
      found.push_back({.flags = fmt::format("--max-mel-frames {}", limit),
                       .price = fmt::format("leaves out {:.1f} % of the utterances, {:.1f} % of "
                                            "the hours",
                                            100.0 * left_out.utterance_share,
                                            100.0 * left_out.frame_share),
                       .total_bytes = one.total_bytes()});
    } catch (const UsageError&) {
      break;  // more than half would be left out
    }
  }
  return found;
}

// The next smaller first.
std::vector<std::string> smaller_sizes(const std::string& size) {
  std::vector<std::string> smaller;
  for (const config::PresetTable& table : config::preset_tables()) {
    if (std::string_view(table.key) != "model.model_size") continue;
    for (const char* name : table.names) {
      if (name == size) break;
      smaller.insert(smaller.begin(), name);
    }
  }
  return smaller;
}

std::vector<Alternative> smaller_ones(const MemoryNeed& need,
                                      const RunParts& parts,
                                      const config::Config& config,
                                      const pipeline::ShapePlan& plan,
                                      const step::BatchFacts& facts) {
  std::vector<Alternative> found;
  for (const std::string& size : smaller_sizes(config.model.model_size)) {
    config::Config other = config;
    other.model.model_size = size;
    other.model = config::defaults_of_presets_in(other).model;
    other.model.n_mels = config.model.n_mels;
    other.model.decoder_crop_frames = config.model.decoder_crop_frames;
    other.model.decoder = config.model.decoder;
    other.model.use_energy_predictor = config.model.use_energy_predictor;
    RunParts small(other, parts.num_symbols);
    const double saved =
        5.0 * 4.0 *  // weights, gradients, two moments, average; float32
        static_cast<double>(parts.parameters().num_elements() - small.parameters().num_elements());
    const MemoryNeed one{.resident_bytes = need.resident_bytes - saved,
                         .buffer_bytes = need.buffer_bytes,
                         .save_bytes = static_cast<double>(save_bytes(small)),
                         .signatures = needs_of(small, config.training, plan, facts)};
    found.push_back({.flags = fmt::format("--model-size {}", size),
                     .price = "",
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
                          const pipeline::ShapePlan& plan,
                          const step::BatchFacts& facts) {
  MemoryNeed need;
  if (parts.device.is_cpu()) need.signatures = needs_of(parts, training, plan, facts);
  parts.optimizer.zero_gradients();
  malloc_trim(0);
  need.resident_bytes = static_cast<double>(base::resident_bytes());
  need.save_bytes = static_cast<double>(save_bytes(parts));
  return need;
}

double bytes_left(const MemoryNeed& need, const config::TrainingConfig& training) {
  return budget_of(need, training).bytes - need.total_bytes();
}

void require_memory(const MemoryNeed& need,
                    RunParts& parts,
                    const config::Config& config,
                    const Corpora& corpora,
                    const pipeline::ShapePlan& plan,
                    const step::BatchFacts& facts) {
  const MemoryBudget budget = budget_of(need, config.training);
  if (need.total_bytes() <= budget.bytes) return;
  const bool is_voice = parts.voice != nullptr;  // a vocoder's crops are as long as they are
  throw UsageError(memory_refusal(
      need,
      budget,
      config.data.batch_size,
      config.training.gradient_accumulation_steps,
      is_voice ? shorter_ones(need, parts, config, corpora, facts) : std::vector<Alternative>(),
      is_voice ? smaller_ones(need, parts, config, plan, facts) : std::vector<Alternative>()));
}

}  // namespace xtts::train
