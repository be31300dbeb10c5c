// Provides a synthetic corpus and a training step for benchmarks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "config/config.h"
#include "data/batch.h"
#include "data/features.h"
#include "data/shape_plan.h"
#include "model/acoustic_model_torch.h"
#include "step/acoustic_objective_torch.h"
#include "step/flat_optimizer_torch.h"
#include "step/prepare_torch.h"
#include "step/prepared_runner.h"
#include "step/train_step_torch.h"

namespace myxtts::bench {

inline constexpr std::int64_t kBenchSymbols = 80;
inline constexpr std::int64_t kBenchReferenceFrames = 258;
inline constexpr double kBenchLearningRate = 1e-5;
inline constexpr model::MelNormalisation kBenchMelNormalisation{.mean = -5.5F, .std = 1.2F};

// Returns 600 deterministic utterances of noise with the lengths of the demo corpus: 100 to 740
// frames, five frames per symbol.
data::FeatureSet noise_corpus(int n_mels);

// Returns the first `count` batches of the first epoch, or the whole epoch if nullopt.
std::vector<data::Batch> first_batches(const data::FeatureSet& features,
                                       const data::ShapePlan& plan,
                                       const config::Config& config,
                                       std::optional<std::int64_t> count = std::nullopt);

// A model with random initialisation and its step, eager or prepared.
class BenchTraining {
 public:
  BenchTraining(const config::Config& config, bool is_prepared);
  BenchTraining(const BenchTraining&) = delete;
  BenchTraining& operator=(const BenchTraining&) = delete;

  // Records every signature once. Later steps use the arena.
  void prepare(std::span<const data::Signature> signatures);

  model::AcousticModel model;
  step::AcousticObjective objective;
  step::FlatOptimizer optimizer;
  step::PreparedRunner runner;
  step::TrainStep step;
};

}  // namespace myxtts::bench
