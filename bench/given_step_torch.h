// The prepared step of training with the alignment given, for the comparison with the twin in
// PyTorch.
#pragma once

#include <string>
#include <vector>

#include <torch/types.h>

#include "cli/bench_training_torch.h"
#include "pipeline/batch.h"

namespace xtts {

// Model, optimiser, and a few updates with their alignments.
class GivenStep {
 public:
  // Takes updates of one micro-batch each and pushes their mels away from whatever the model says:
  // where |x| bends, the sign of a gradient would hang on rounding.
  GivenStep(const config::Config& config, std::vector<pipeline::Batch> updates);

  // Weights, batch, alignment, losses and gradients of an update, laid out as
  // bench/peers/acoustic_exchange.py says.
  void write(const std::string& path, std::size_t update);

  // Records each update's signature; from then on run() takes its memory out of the arena.
  void prepare();

  // As step::TrainStep::run() does it, but for the search.
  void run(std::size_t update);

  const std::vector<pipeline::Batch>& updates() const { return updates_; }
  step::PreparedRunner& runner() { return training_.runner; }

 private:
  model::LossSums forward_and_backward(std::size_t update, double& loss);

  config::Config config_;
  std::vector<pipeline::Batch> updates_;
  cli::BenchTraining training_;
  std::vector<model::Inputs> inputs_;
  std::vector<torch::Tensor> durations_;
};

}  // namespace xtts
