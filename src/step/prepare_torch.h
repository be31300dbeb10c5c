// Prepares a training step: records and plans its memory for all signatures before step 1.
#pragma once

#include <span>

#include "data/batch.h"
#include "data/signature.h"
#include "step/flat_optimizer_torch.h"
#include "step/prepared_runner.h"
#include "step/train_step_torch.h"

namespace myxtts::step {

// Properties of a micro-batch that its signature does not include.
struct BatchProperties {
  std::int64_t n_mels = 0;
  std::int64_t reference_frames = 0;
  float mel_pad = 0.0F;
};

// Returns a batch of one micro-batch whose rows have full length, for the preparation of a step.
data::Batch example_batch(const data::Signature& signature, const BatchProperties& properties);

// Restores the state of the default CPU generator on destruction.
class CpuGeneratorGuard {
 public:
  CpuGeneratorGuard();
  ~CpuGeneratorGuard();
  CpuGeneratorGuard(const CpuGeneratorGuard&) = delete;
  CpuGeneratorGuard& operator=(const CpuGeneratorGuard&) = delete;

 private:
  torch::Tensor state_;
};

// Prepares the step for these signatures: runs and records training, update and validation once,
// then freezes the runner. An interrupt (Ctrl-C) skips the remaining signatures. `runner` is the
// runner of `step`. Weights, moments, EMA weights and the default generator are unchanged to the
// bit; gradients are zero.
void prepare(TrainStep& step,
             PreparedRunner& runner,
             model::ParameterSet& parameters,
             FlatOptimizer& optimizer,
             std::span<const data::Signature> signatures,
             const BatchProperties& properties);

}  // namespace myxtts::step
