#include "bench/bench_mel.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "audio/read_recording.h"
#include "audio/resample.h"
#include "base/interrupt.h"
#include "base/random.h"

namespace myxtts::bench {
namespace {

constexpr double kMaxBenchSeconds = 3600.0;

std::vector<float> recording_at(const std::string& file, int sample_rate) {
  const audio::AudioClip clip = audio::read_recording(file, kMaxBenchSeconds);
  return audio::resample(clip.samples, clip.sample_rate, sample_rate);
}

}  // namespace

std::vector<float> bench_signal(double seconds, int sample_rate) {
  base::Random random(20);
  std::vector<float> samples(static_cast<std::size_t>(seconds * sample_rate));
  double cycles = 0.0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double t = static_cast<double>(i) / sample_rate;
    cycles += (120.0 + 30.0 * std::sin(4.0 * t)) / sample_rate;
    double value = 2e-3 * (random.unit() - 0.5);
    for (int harmonic = 1; harmonic <= 12; ++harmonic) {
      value += 0.15 / harmonic * std::sin(2.0 * std::numbers::pi * harmonic * cycles);
    }
    samples[i] = static_cast<float>(value * (0.55 + 0.45 * std::sin(11.0 * t)));
  }
  return samples;
}

std::vector<double> fastest_runs_s(const std::vector<std::function<void()>>& functions) {
  using Clock = std::chrono::steady_clock;
  constexpr int kMinRounds = 3;
  constexpr std::chrono::duration<double> kBudget(1.0);

  for (const auto& function : functions) {
    base::check_interrupt();
    function();
  }
  std::vector<double> fastest(functions.size(), std::numeric_limits<double>::max());
  const auto start = Clock::now();
  for (int round = 0; round < kMinRounds || Clock::now() - start < kBudget; ++round) {
    for (std::size_t i = 0; i < functions.size(); ++i) {
      base::check_interrupt();
      const auto before = Clock::now();
      functions[i]();
      const std::chrono::duration<double> elapsed = Clock::now() - before;
      fastest[i] = std::min(fastest[i], elapsed.count());
    }
  }
  return fastest;
}

MelBenchmark::MelBenchmark(const BenchMelArgs& args)
    : reference_(audio::MelSpec{}),
      fast_(audio::MelSpec{}),
      samples_(args.audio.empty() ? bench_signal(args.seconds, spec().sample_rate)
                                  : recording_at(args.audio, spec().sample_rate)),
      fast_mel_(
          static_cast<std::size_t>(audio::num_frames(spec(), samples_.size()) * spec().n_mels)) {}

double MelBenchmark::seconds() const {
  return static_cast<double>(samples_.size()) / spec().sample_rate;
}

std::vector<BenchResult> MelBenchmark::results(double reference_s, double fast_s) const {
  double largest = 0.0;
  for (std::size_t i = 0; i < fast_mel_.size(); ++i) {
    largest =
        std::max(largest, std::abs(static_cast<double>(fast_mel_[i]) - reference_mel_.values[i]));
  }
  return {{"mel_reference", seconds() / reference_s, "x real time"},
          {"mel_fast", seconds() / fast_s, "x real time"},
          {"mel_fast_to_reference", reference_s / fast_s, "ratio"},
          {"mel_fast_largest_difference", largest, "log mel"}};
}

std::vector<BenchResult> bench_mel_extractors(const BenchMelArgs& args) {
  MelBenchmark mels(args);
  const std::vector<double> runs_s =
      fastest_runs_s({[&] { mels.run_reference(); }, [&] { mels.run_fast(); }});
  return mels.results(runs_s[0], runs_s[1]);
}

}  // namespace myxtts::bench
