#include "audio/fft.h"

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"

namespace myxtts::audio {
namespace {

using Complex = std::complex<double>;

std::vector<double> random_signal(int size, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<double> signal;
  for (int i = 0; i < size; ++i)
    signal.push_back(2.0 * random.unit() - 1.0);
  return signal;
}

// The definition, term by term.
std::vector<Complex> naive_transform(const std::vector<double>& signal) {
  const std::size_t size = signal.size();
  std::vector<Complex> bins(size / 2 + 1);
  for (std::size_t k = 0; k < bins.size(); ++k) {
    for (std::size_t t = 0; t < size; ++t) {
      const double cycles = static_cast<double>(k * t % size) / static_cast<double>(size);
      bins[k] += signal[t] * std::polar(1.0, -2.0 * std::numbers::pi * cycles);
    }
  }
  return bins;
}

TEST(RealFft, EqualsTheDefinitionForEverySize) {
  for (int size = 4; size <= 1024; size *= 2) {
    const std::vector<double> signal = random_signal(size, 17);
    const RealFft fft(size);
    std::vector<Complex> bins(static_cast<std::size_t>(fft.num_bins()));

    fft.forward(signal, bins);

    const std::vector<Complex> expected = naive_transform(signal);
    ASSERT_EQ(bins.size(), expected.size());
    for (std::size_t k = 0; k < bins.size(); ++k) {
      EXPECT_LT(std::abs(bins[k] - expected[k]), 1e-12 * size) << "size " << size << " bin " << k;
    }
  }
}

TEST(RealFft, InverseRestoresTheSignal) {
  for (int size = 4; size <= 4096; size *= 4) {
    const std::vector<double> signal = random_signal(size, 23);
    const RealFft fft(size);
    std::vector<Complex> bins(static_cast<std::size_t>(fft.num_bins()));
    std::vector<double> back(signal.size());

    fft.forward(signal, bins);
    fft.inverse(bins, back);

    for (std::size_t i = 0; i < signal.size(); ++i) {
      EXPECT_NEAR(back[i], signal[i], 1e-13) << "size " << size << " sample " << i;
    }
  }
}

TEST(RealFft, RejectsSizesThatAreNotAPowerOfTwo) {
  for (const int size : {0, 1, 2, 3, 6, 1000})
    EXPECT_THROW(RealFft{size}, BugError) << size;
}

}  // namespace
}  // namespace myxtts::audio
