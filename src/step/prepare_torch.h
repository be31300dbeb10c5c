#pragma once

#include <span>

#include "pipeline/batch.h"
#include "pipeline/signature.h"
#include "step/flat_optimizer_torch.h"
#include "step/prepared_runner.h"
#include "step/train_step_torch.h"

namespace xtts::step {

// The parts of a batch that a signature does not tell.
struct BatchFacts {
  std::int64_t n_mels = 0;
  std::int64_t reference_frames = 0;
  float mel_pad = 0.0F;
};

// An update of one batch with every row as long as it can be: what a preparation runs on.
pipeline::Batch example_batch(const pipeline::Signature& signature, const BatchFacts& facts);

// Puts the default generator back when it dies.
class UnchangedGenerator {
 public:
  UnchangedGenerator();
  ~UnchangedGenerator();
  UnchangedGenerator(const UnchangedGenerator&) = delete;
  UnchangedGenerator& operator=(const UnchangedGenerator&) = delete;

 private:
  torch::Tensor state_;
};

// Makes the step ready for these signatures: training, update and validation of each are run and
// recorded once, then frozen; a request to stop (Ctrl-C) leaves out the rest. `runner` is that of
// `step`. Weights, moments, average and the default generator are the same bits afterwards;
// gradients are zero.
void prepare(TrainStep& step,
             PreparedRunner& runner,
             model::ParameterSet& parameters,
             FlatOptimizer& optimizer,
             std::span<const pipeline::Signature> signatures,
             const BatchFacts& facts);

}  // namespace xtts::step
