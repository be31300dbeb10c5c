// Runs prepared training steps on fixed batches with fixed alignments, for the comparison with
// PyTorch.
#pragma once

#include <string>
#include <vector>

#include <torch/types.h>

#include "bench/bench_training_torch.h"
#include "data/batch.h"

namespace myxtts {

// A model, its optimiser, and batches with their alignments.
class FixedBatchStep {
 public:
  // Each batch must have one micro-batch. Replaces the mels by values far from any prediction: near
  // zero the sign of the L1 gradient would depend on rounding.
  FixedBatchStep(const config::Config& config, std::vector<data::Batch> batches);

  // Writes weights, inputs, alignment, losses and gradients of a batch in the format of
  // bench/peers/acoustic_exchange.py.
  void write(const std::string& path, std::size_t index);

  // Records the signature of each batch. Later calls of run() use the arena.
  void prepare();

  // Runs one step like step::TrainStep::run(), without the alignment search.
  void run(std::size_t index);

  const std::vector<data::Batch>& batches() const { return batches_; }
  step::PreparedRunner& runner() { return training_.runner; }

 private:
  model::LossSums forward_and_backward(std::size_t index, double& loss);

  config::Config config_;
  std::vector<data::Batch> batches_;
  bench::BenchTraining training_;
  std::vector<model::Inputs> inputs_;
  std::vector<torch::Tensor> durations_;
};

}  // namespace myxtts
