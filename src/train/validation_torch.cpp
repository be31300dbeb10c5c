#include "train/validation_torch.h"

#include <memory>
#include <span>

#include "base/interrupt.h"
#include "pipeline/timeout_store.h"
#include "step/flat_optimizer_torch.h"

namespace xtts::train {
namespace {

// They are read here and now, where no worker could be given up.
pipeline::FeatureSet read_patiently(pipeline::FeatureSet features) {
  features.mels = std::make_shared<pipeline::TimeoutMelStore>(features.mels);
  if (features.sounds)
    features.sounds = std::make_shared<pipeline::TimeoutWaveformStore>(features.sounds);
  return features;
}

}  // namespace

Validation::Validation(const pipeline::FeatureSet& features,
                       const pipeline::ShapePlan& plan,
                       const pipeline::LoaderSettings& loading)
    : updates_(pipeline::validation_batches(read_patiently(features), plan, loading)) {}

// Each update's counts are those of the whole set, so its losses are summed.
std::optional<step::StepReport> Validation::losses(const step::TrainStep& step,
                                                   RunParts& parts,
                                                   RunWatchdog& watch) {
  const step::EmaWeights averaged(parts.parameters(), parts.optimizer);
  step::StepReport sum;
  for (std::size_t i = 0; i < updates_.size(); ++i) {
    if (base::pending_interrupt() != 0) return std::nullopt;
    const RunWatchdog::Watched watched(watch, RunWork::kReview, parts.state.step);
    const step::StepReport one = step.validate(std::span(updates_).subspan(i, 1));
    if (i == 0) {
      sum = one;
      continue;
    }
    sum.loss += one.loss;
    for (std::size_t part = 0; part < sum.parts.size(); ++part)
      sum.parts[part].second += one.parts[part].second;
  }
  return sum;
}

}  // namespace xtts::train
