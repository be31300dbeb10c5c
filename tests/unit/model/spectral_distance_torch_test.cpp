#include "model/spectral_distance_torch.h"

#include <vector>

#include <gtest/gtest.h>

#include "unit/model/outcome_torch.h"

namespace myxtts::model {
namespace {

constexpr std::int64_t kSpectralFrames = 70;  // more than one chunk
constexpr std::int64_t kSpectralBins = 33;

torch::Tensor some_parts(std::uint64_t seed) {
  return random_tensor({3, kSpectralFrames, kSpectralBins, 2}, seed);
}

TEST(SpectralDistance, MatchesTheReference) {
  const torch::Tensor recorded = at::view_as_complex(some_parts(1));
  const std::vector<torch::Tensor> parts = {some_parts(2)};

  expect_alike(
      outcome_of(
          [&](const auto& in) { return spectral_distance(at::view_as_complex(in[0]), recorded); },
          parts),
      outcome_of(
          [&](const auto& in) {
            return reference_spectral_distance(at::view_as_complex(in[0]), recorded);
          },
          parts),
      1e-5);
}

TEST(SpectralDistance, IsBitIdenticalForAnyNumberOfThreads) {
  const torch::Tensor recorded = at::view_as_complex(some_parts(1));
  const Operator work = [&](const auto& in) {
    return spectral_distance(at::view_as_complex(in[0]), recorded);
  };
  const Outcome one = outcome_of(work, {some_parts(2)});

  const ThreadsGuard threads(2);
  const Outcome two = outcome_of(work, {some_parts(2)});

  EXPECT_TRUE(same_bits(two.y, one.y));
  EXPECT_TRUE(same_bits(two.gradients[0], one.gradients[0]));
}

TEST(SpectralDistance, OfIdenticalSpectraIsZeroWithZeroGradient) {
  const torch::Tensor parts = some_parts(3);

  const Outcome same = outcome_of(
      [&](const auto& in) {
        return spectral_distance(at::view_as_complex(in[0]), at::view_as_complex(parts));
      },
      {parts});

  EXPECT_EQ(same.y.abs().max().item<double>(), 0.0);
  EXPECT_EQ(same.gradients[0].abs().max().item<double>(), 0.0);
}

TEST(SpectralDistance, OfSilenceIsFinite) {
  const torch::Tensor nothing = torch::zeros({2, 4, kSpectralBins, 2});
  const Operator work = [&](const auto& in) {
    return spectral_distance(at::view_as_complex(in[0]), at::view_as_complex(nothing));
  };

  const Outcome silent = outcome_of(work, {nothing});
  const Outcome noisy = outcome_of(work, {random_tensor({2, 4, kSpectralBins, 2}, 4)});

  EXPECT_EQ(silent.y.abs().max().item<double>(), 0.0);
  EXPECT_TRUE(silent.gradients[0].isfinite().all().item<bool>());
  EXPECT_TRUE(noisy.y.isfinite().all().item<bool>());
  EXPECT_TRUE(noisy.gradients[0].isfinite().all().item<bool>());
}

}  // namespace
}  // namespace myxtts::model
