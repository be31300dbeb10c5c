#include "diagnose/batch_shapes.h"

#include <algorithm>
#include <map>
#include <span>

#include <fmt/format.h>

#include "base/interrupt.h"
#include "data/batch_sampler.h"
#include "data/epoch_order.h"

namespace myxtts::diagnose {
namespace {

using data::Lengths;
using data::Signature;

// Returns the smallest shape that holds these utterances.
Signature need_of(const std::vector<std::size_t>& utterances, std::span<const Lengths> lengths) {
  Signature need{.batch = std::ssize(utterances)};
  for (const std::size_t utterance : utterances) {
    need.text = std::max(need.text, lengths[utterance].text);
    need.mel = std::max(need.mel, lengths[utterance].mel);
  }
  return need;
}

bool is_planned(const data::ShapePlan& plan, const Signature& shape) {
  return plan.is_dynamic() || std::ranges::find(plan.signatures, shape) != plan.signatures.end();
}

void inspect_order(const data::ShapePlan& plan,
                   const std::vector<data::PlannedBatch>& order,
                   std::span<const Lengths> lengths,
                   BatchShapes& shapes) {
  std::map<Signature, std::int64_t> counts;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const std::vector<std::size_t>& utterances : order[i].micro_batches) {
      const Signature need = need_of(utterances, lengths);
      const Signature& planned = plan.signatures[order[i].signature];
      const bool fits = plan.is_dynamic() ||
                        (need.batch == planned.batch && holds(planned, {need.text, need.mel}));
      if (!fits) {
        shapes.unplanned.push_back(
            fmt::format("batch {} of the epoch needs shape {}, but its planned shape is {}",
                        i + 1,
                        name_of(need),
                        name_of(planned)));
      }
      ++counts[plan.is_dynamic() ? need : planned];
      ++shapes.num_sampled;
    }
  }
  shapes.sampled.assign(counts.begin(), counts.end());
  std::ranges::stable_sort(
      shapes.sampled, std::ranges::greater(), [](const auto& entry) { return entry.second; });
}

}  // namespace

Signature measured_shape(const data::MicroBatch& batch) {
  const std::int64_t rows = std::ssize(batch.text_lengths);
  if (rows == 0 || batch.n_mels == 0) return {};
  return {.batch = rows,
          .text = std::ssize(batch.text) / rows,
          .mel = std::ssize(batch.mel) / rows / batch.n_mels};
}

BatchShapes inspect_batches(const data::FeatureSet& features,
                            const data::ShapePlan& plan,
                            const data::LoaderSettings& settings,
                            std::int64_t num_batches) {
  BatchShapes shapes;
  const std::vector<Lengths> lengths = features.lengths();
  inspect_order(plan,
                data::sample_epoch(settings.seed, /*epoch=*/0, plan, settings.grad_accum, lengths),
                lengths,
                shapes);
  data::BatchSampler loader(features, plan, settings);
  const std::int64_t num_loaded = std::min(num_batches, loader.batches_in_epoch());
  for (std::int64_t i = 0; i < num_loaded; ++i) {
    base::check_interrupt();
    const data::Batch batch = loader.next();
    for (const data::MicroBatch& micro_batch : batch.micro_batches) {
      shapes.loaded.push_back(measured_shape(micro_batch));
      shapes.n_mels = micro_batch.n_mels;
      if (is_planned(plan, shapes.loaded.back())) continue;
      shapes.unplanned.push_back(
          fmt::format("batch {} was loaded with shape {}, which is not in the plan",
                      i + 1,
                      name_of(shapes.loaded.back())));
    }
  }
  return shapes;
}

}  // namespace myxtts::diagnose
