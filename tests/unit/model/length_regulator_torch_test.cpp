#include "model/length_regulator_torch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/model/outcome_torch.h"

namespace myxtts::model {
namespace {

// Durations with symbols without frames at the start, in the middle and at the end, and an empty
// row.
FrameDurations some_durations(const std::vector<std::int64_t>& starts) {
  return {.per_symbol = torch::tensor({{2, 0, 3}, {0, 1, 0}, {0, 0, 0}}, torch::kInt64),
          .starts = torch::tensor(starts, torch::kInt64)};
}

TEST(SymbolOfFrame, FramesHaveTheirSymbolOrNone) {
  const FrameDurations durations{.per_symbol = torch::tensor({{2, 0, 3}, {1, 1, 0}}, torch::kInt64),
                                 .starts = torch::zeros({2}, torch::kInt64)};
  const FrameDurations later{.per_symbol = durations.per_symbol,
                             .starts = torch::ones({2}, torch::kInt64)};

  const torch::Tensor whole = symbol_of_frame(durations, 6, torch::kFloat32);
  const torch::Tensor part = symbol_of_frame(later, 3, torch::kFloat32);

  const torch::Tensor expected =
      torch::tensor({1., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 1., 0., 0., 1., 0., 0., 0.,
                     1., 0., 0., 0., 1., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.},
                    torch::kFloat32)
          .view({2, 6, 3});
  EXPECT_TRUE(whole.equal(expected)) << whole;
  EXPECT_TRUE(part.equal(expected.narrow(1, 1, 3))) << part;
}

TEST(ExpandByDuration, MatchesTheReference) {
  for (const torch::ScalarType type : {torch::kFloat32, torch::kBFloat16}) {
    for (const std::int64_t start : {0, 1, 4, 9}) {
      for (const std::int64_t num_frames : {1, 3, 7}) {
        SCOPED_TRACE(fmt::format("{} frames from {}", num_frames, start));
        const FrameDurations durations = some_durations({start, 0, start});
        const std::vector<torch::Tensor> inputs = {random_tensor({3, 3, 5}, 1).to(type)};
        const double tolerance = type == torch::kFloat32 ? 1e-6 : kBfloatTolerance;
        expect_alike(
            outcome_of(
                [&](const auto& in) { return expand_by_duration(in[0], durations, num_frames); },
                inputs),
            outcome_of(
                [&](const auto& in) {
                  return reference_expand_by_duration(in[0], durations, num_frames);
                },
                inputs),
            tolerance);
      }
    }
  }
}

TEST(ExpandByDuration, IsBitIdenticalForAnyNumberOfThreads) {
  const FrameDurations durations = some_durations({0, 0, 0});
  const std::vector<torch::Tensor> inputs = {random_tensor({3, 3, 40}, 1)};
  const Operator work = [&](const auto& in) { return expand_by_duration(in[0], durations, 6); };

  expect_same_bits(outcome_with_threads(1, work, inputs), outcome_with_threads(4, work, inputs));
}

TEST(ReduceByDuration, MatchesTheReference) {
  for (const std::int64_t start : {0, 1, 4, 9}) {
    const FrameDurations durations = some_durations({start, 0, start});
    const torch::Tensor frames = random_tensor({3, 6, 4}, 2);

    EXPECT_LE(relative_difference(reduce_by_duration(frames, durations),
                                  reference_reduce_by_duration(frames, durations)),
              1e-6);
  }
}

TEST(ReduceByDuration, HasNoGradient) {
  const torch::Tensor frames = random_tensor({3, 6, 4}, 2).set_requires_grad(true);

  EXPECT_FALSE(reduce_by_duration(frames, some_durations({0, 0, 0})).requires_grad());
}

}  // namespace
}  // namespace myxtts::model
