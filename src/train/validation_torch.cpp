#include "train/validation_torch.h"

#include <memory>
#include <span>

#include "base/interrupt.h"
#include "data/timeout_store.h"
#include "step/flat_optimizer_torch.h"

namespace myxtts::train {
namespace {

// Adds read timeouts, because the batches are read on this thread, not on an abandonable worker.
data::FeatureSet with_read_timeout(data::FeatureSet features) {
  features.mels = std::make_shared<data::TimeoutMelStore>(features.mels);
  if (features.waveforms)
    features.waveforms = std::make_shared<data::TimeoutWaveformStore>(features.waveforms);
  return features;
}

}  // namespace

Validation::Validation(const data::FeatureSet& features,
                       const data::ShapePlan& plan,
                       const data::LoaderSettings& loading)
    : batches_(data::validation_batches(with_read_timeout(features), plan, loading)) {}

// The counts of each batch are those of the whole set, so the losses are summed.
std::optional<step::StepReport> Validation::losses(const step::TrainStep& step,
                                                   RunParts& parts,
                                                   RunWatchdog& watchdog) {
  const step::EmaWeights ema(parts.parameters(), parts.optimizer);
  step::StepReport sum;
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    if (base::pending_interrupt() != 0) return std::nullopt;
    const RunWatchdog::ScopedActivity activity(watchdog, Activity::kEvaluate, parts.state.step);
    const step::StepReport one = step.validate(std::span(batches_).subspan(i, 1));
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

}  // namespace myxtts::train
