// Step 1, magnitudes: a mel frame has fewer values than a spectrum (80 against 513), so we solve
// for the non-negative spectrum whose mel is closest in the least-squares sense. The multiplicative
// update of Lee and Seung needs only the filterbank and its transpose; it keeps values positive and
// never increases the error. A pseudo-inverse would be one multiplication, but produces negative
// magnitudes.
//
// Step 2, phases: fast Griffin-Lim (Perraudin, Balazs and Sondergaard 2013). Each iteration
// synthesises a signal from the current phases and takes the phases of that signal's spectrum,
// extrapolated by a momentum, until overlapping frames are consistent.

#include "audio/griffin_lim.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>

#include "audio/mel_filterbank.h"
#include "audio/stft.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/random.h"

namespace myxtts::audio {
namespace {

using Complex = std::complex<double>;

constexpr int kMagnitudeIterations = 60;
constexpr double kMomentum = 0.99;
constexpr double kTiny = 1e-12;  // avoids 0 / 0; far below any floor

// Computes the non-negative spectrum whose mel is closest to `mel`.
void invert_frame(const MelFilterbank& filters,
                  std::span<const double> mel,
                  std::span<double> magnitude) {
  std::vector<double> wanted(magnitude.size());
  std::vector<double> reached(magnitude.size());
  std::vector<double> mel_now(mel.size());

  filters.apply_transposed(mel, wanted);
  std::ranges::copy(wanted, magnitude.begin());
  for (int i = 0; i < kMagnitudeIterations; ++i) {
    filters.apply(magnitude, mel_now);
    filters.apply_transposed(mel_now, reached);
    for (std::size_t f = 0; f < magnitude.size(); ++f) {
      magnitude[f] *= wanted[f] / (reached[f] + kTiny);
    }
  }
}

std::vector<double> invert_mel(const Mel& mel, const MelSpec& spec) {
  const MelFilterbank filters(spec);
  const auto bins = static_cast<std::size_t>(filters.num_bins());

  std::vector<double> magnitudes(static_cast<std::size_t>(mel.num_frames) * bins);
  std::vector<double> linear(static_cast<std::size_t>(mel.n_mels));
  for (std::int64_t m = 0; m < mel.num_frames; ++m) {
    base::check_interrupt();
    std::ranges::transform(mel.frame(m), linear.begin(), [](float value) {
      return std::exp(static_cast<double>(value));
    });
    invert_frame(
        filters, linear, std::span(magnitudes).subspan(static_cast<std::size_t>(m) * bins, bins));
  }
  return magnitudes;
}

Spectrogram with_random_phases(std::span<const double> magnitudes,
                               std::int64_t num_frames,
                               int num_bins,
                               std::uint64_t seed) {
  base::Random random(base::mix_seed(seed, "griffin_lim"));
  Spectrogram spectrogram{num_frames, num_bins, {}};
  spectrogram.values.reserve(magnitudes.size());
  for (const double magnitude : magnitudes) {
    spectrogram.values.push_back(std::polar(magnitude, 2.0 * std::numbers::pi * random.unit()));
  }
  return spectrogram;
}

// Replaces the phases of `current` by those of `rebuilt`, extrapolated from `previous`.
void adopt_phases(std::span<const double> magnitudes,
                  std::span<const Complex> rebuilt,
                  std::span<const Complex> previous,
                  std::span<Complex> current) {
  for (std::size_t i = 0; i < current.size(); ++i) {
    const Complex target = rebuilt[i] + kMomentum * (rebuilt[i] - previous[i]);
    const double length = std::sqrt(std::norm(target));
    current[i] = length > kTiny ? target * (magnitudes[i] / length) : Complex(magnitudes[i]);
  }
}

}  // namespace

std::vector<float> griffin_lim(const Mel& mel,
                               const MelSpec& spec,
                               int num_iterations,
                               std::uint64_t seed) {
  validate(spec);
  require(mel.n_mels == spec.n_mels && mel.num_frames >= 1 &&
              std::ssize(mel.values) == mel.num_frames * mel.n_mels,
          "mel has {} frames of {} channels ({} values); expected at least 1 frame of {} channels",
          mel.num_frames,
          mel.n_mels,
          mel.values.size(),
          spec.n_mels);

  const Stft stft(spec.n_fft, spec.win_length, spec.hop_length);
  const auto num_samples = static_cast<std::size_t>((mel.num_frames - 1) * spec.hop_length);
  const std::vector<double> magnitudes = invert_mel(mel, spec);

  Spectrogram current = with_random_phases(magnitudes, mel.num_frames, stft.num_bins(), seed);
  std::vector<Complex> previous(current.values.size());
  for (int i = 0; i < num_iterations; ++i) {
    base::check_interrupt();
    Spectrogram rebuilt = stft.analyse(stft.synthesise(current, num_samples));
    adopt_phases(magnitudes, rebuilt.values, previous, current.values);
    previous = std::move(rebuilt.values);
  }
  return stft.synthesise(std::move(current), num_samples);
}

}  // namespace myxtts::audio
