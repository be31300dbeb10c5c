#include "step/row_bytes_torch.h"

#include "step/step_allocator_torch.h"

namespace xtts::step {
namespace {

// Small enough to be had anywhere, far enough apart for a straight line.
constexpr std::int64_t kFewRows = 2;
constexpr std::int64_t kMoreRows = 6;

}  // namespace

RowBytes measure_row_bytes(const Objective& objective,
                           FlatOptimizer& optimizer,
                           torch::ScalarType type,
                           const pipeline::Signature& signature,
                           const BatchFacts& facts) {
  const UnchangedGenerator unchanged_generator;
  PreparedRunner runner(tensor_memory());
  TrainStep step(objective, optimizer, type, &runner);
  const auto bytes_at = [&](std::int64_t rows) {
    pipeline::Signature few = signature;
    few.batch = rows;
    pipeline::Batch update = example_batch(few, facts);
    step.accumulate(update, /*diagonal=*/1.0);
    return static_cast<double>(runner.bytes_of({.kind = PhaseKind::kTrain, .signature = few}));
  };
  const double few = bytes_at(kFewRows);
  const double more = bytes_at(kMoreRows);
  const double per_row = (more - few) / static_cast<double>(kMoreRows - kFewRows);
  return {.fixed = few - per_row * static_cast<double>(kFewRows), .per_row = per_row};
}

}  // namespace xtts::step
