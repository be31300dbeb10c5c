#include "step/row_bytes_torch.h"

#include "step/step_allocator_torch.h"

namespace myxtts::step {
namespace {

// Few rows fit into any memory; the difference is large enough for a linear fit.
constexpr std::int64_t kFewRows = 2;
constexpr std::int64_t kMoreRows = 6;

}  // namespace

RowBytes measure_row_bytes(const Objective& objective,
                           FlatOptimizer& optimizer,
                           torch::ScalarType type,
                           const data::Signature& signature,
                           const BatchProperties& properties) {
  const CpuGeneratorGuard unchanged_generator;
  PreparedRunner runner(tensor_memory());
  TrainStep step(objective, optimizer, type, &runner);
  const auto bytes_at = [&](std::int64_t rows) {
    data::Signature few = signature;
    few.batch = rows;
    data::Batch batch = example_batch(few, properties);
    step.accumulate(batch, /*diagonal=*/1.0);
    return static_cast<double>(runner.bytes_of({.kind = PhaseKind::kTrain, .signature = few}));
  };
  const double few = bytes_at(kFewRows);
  const double more = bytes_at(kMoreRows);
  const double per_row = (more - few) / static_cast<double>(kMoreRows - kFewRows);
  return {.fixed = few - per_row * static_cast<double>(kFewRows), .per_row = per_row};
}

}  // namespace myxtts::step
