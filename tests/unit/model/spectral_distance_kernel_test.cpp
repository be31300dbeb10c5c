#include "model/spectral_distance_kernel.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include <gtest/gtest.h>

#include "unit/model/kernel_values.h"

namespace myxtts::model {
namespace {

constexpr std::int64_t kFrames = 3;
constexpr std::int64_t kBins = 37;

struct Bins {
  std::vector<float> predicted;
  std::vector<float> recorded;

  std::complex<double> p(std::size_t i) const { return {predicted[2 * i], predicted[2 * i + 1]}; }
  std::complex<double> r(std::size_t i) const { return {recorded[2 * i], recorded[2 * i + 1]}; }
};

// Returns random bins; some are below the floor and one is zero.
Bins some_bins() {
  base::Random random(1);
  Bins bins{.predicted = random_row<float>(kFrames * kBins * 2, random),
            .recorded = random_row<float>(kFrames * kBins * 2, random)};
  for (std::size_t i = 0; i < bins.predicted.size(); i += 14)
    bins.predicted[i] = bins.predicted[i + 1] = 1e-4F;
  for (std::size_t i = 0; i < bins.predicted.size(); i += 22)
    bins.recorded[i] = bins.recorded[i + 1] = 2e-4F;
  bins.predicted[10] = bins.predicted[11] = 0.0F;
  return bins;
}

SpectralSums formula(const Bins& bins) {
  SpectralSums sums;
  const auto floored = [](double x) { return std::max(x, double{kMagnitudeFloor}); };
  for (std::size_t i = 0; i < bins.predicted.size() / 2; ++i) {
    const double p = std::abs(bins.p(i));
    const double r = std::abs(bins.r(i));
    const std::complex<double> difference = bins.p(i) - bins.r(i);
    sums.log_magnitude += std::abs(std::log(floored(p)) - std::log(floored(r)));
    sums.difference += (p - r) * (p - r);
    sums.recorded += r * r;
    sums.complex += std::abs(difference.real()) + std::abs(difference.imag());
  }
  return sums;
}

TEST(SpectralDistanceKernel, SumsMatchTheFormulas) {
  const Bins bins = some_bins();
  const SpectralSums expected = formula(bins);

  SpectralSums found;
  run(
      SpectralDistance{
          .predicted = bins.predicted.data(), .recorded = bins.recorded.data(), .sums = &found},
      kBins,
      {.begin = 0, .end = kFrames});

  EXPECT_NEAR(found.log_magnitude, expected.log_magnitude, 1e-6 * expected.log_magnitude);
  EXPECT_NEAR(found.difference, expected.difference, 1e-6 * expected.difference);
  EXPECT_NEAR(found.recorded, expected.recorded, 1e-6 * expected.recorded);
  EXPECT_NEAR(found.complex, expected.complex, 1e-6 * expected.complex);
}

TEST(SpectralDistanceKernel, SumsCoverOnlyTheRange) {
  const Bins bins = some_bins();
  SpectralSums first;
  SpectralSums rest;
  SpectralSums all;
  SpectralDistance work{
      .predicted = bins.predicted.data(), .recorded = bins.recorded.data(), .sums = &first};
  run(work, kBins, {.begin = 0, .end = 1});
  work.sums = &rest;
  run(work, kBins, {.begin = 1, .end = kFrames});
  work.sums = &all;
  run(work, kBins, {.begin = 0, .end = kFrames});

  EXPECT_NEAR(first.difference + rest.difference, all.difference, 1e-9);
  EXPECT_GT(first.difference, 0.0);
}

// Compares with central differences of the formula in double precision.
TEST(SpectralDistanceKernel, GradientMatchesFiniteDifferences) {
  const Bins bins = some_bins();
  SpectralGradient work{.predicted = bins.predicted.data(),
                        .recorded = bins.recorded.data(),
                        .log_magnitude_weight = 0.7F,
                        .difference_weight = 1.3F,
                        .complex_weight = 0.4F};
  std::vector<float> gradient(bins.predicted.size(), -99.0F);
  work.gradient = gradient.data();

  run(work, kBins, {.begin = 0, .end = kFrames});

  const auto value = [&](std::size_t i, double real, double imaginary) {
    const double p = std::hypot(real, imaginary);
    const double r = std::abs(bins.r(i));
    const double floor = kMagnitudeFloor;
    return 0.7 * std::abs(std::log(std::max(p, floor)) - std::log(std::max(r, floor))) +
           0.65 * (p - r) * (p - r) +
           0.4 * (std::abs(real - bins.r(i).real()) + std::abs(imaginary - bins.r(i).imag()));
  };
  constexpr double kStep = 1e-7;
  for (std::size_t i = 0; i < gradient.size() / 2; ++i) {
    const double re = bins.p(i).real();
    const double im = bins.p(i).imag();
    const double by_real = (value(i, re + kStep, im) - value(i, re - kStep, im)) / (2.0 * kStep);
    const double by_imaginary =
        (value(i, re, im + kStep) - value(i, re, im - kStep)) / (2.0 * kStep);
    if (i == 5) {  // the distance is not differentiable at zero
      EXPECT_TRUE(std::isfinite(gradient[2 * i]));
      continue;
    }
    EXPECT_NEAR(gradient[2 * i], by_real, 1e-4 * (1.0 + std::abs(by_real))) << i;
    EXPECT_NEAR(gradient[2 * i + 1], by_imaginary, 1e-4 * (1.0 + std::abs(by_imaginary))) << i;
  }
}

}  // namespace
}  // namespace myxtts::model
