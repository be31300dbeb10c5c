#include "cli/bench_mel.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "audio/mel.h"
#include "base/interrupt.h"
#include "base/random.h"

namespace xtts::cli {

std::vector<float> bench_sound(double seconds, int sample_rate) {
  base::Random random(20);
  std::vector<float> samples(static_cast<std::size_t>(seconds * sample_rate));
  double turns = 0.0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double t = static_cast<double>(i) / sample_rate;
    turns += (120.0 + 30.0 * std::sin(4.0 * t)) / sample_rate;
    double value = 2e-3 * (random.unit() - 0.5);
    for (int harmonic = 1; harmonic <= 12; ++harmonic) {
      value += 0.15 / harmonic * std::sin(2.0 * std::numbers::pi * harmonic * turns);
    }
    samples[i] = static_cast<float>(value * (0.55 + 0.45 * std::sin(11.0 * t)));
  }
  return samples;
}

std::vector<double> fastest_runs_s(const std::vector<std::function<void()>>& works) {
  using Clock = std::chrono::steady_clock;
  constexpr int kFewestRounds = 3;
  constexpr std::chrono::duration<double> kBudget(1.0);

  for (const auto& work : works) {
    base::check_interrupt();
    work();
  }
  std::vector<double> fastest(works.size(), std::numeric_limits<double>::max());
  const auto start = Clock::now();
  for (int round = 0; round < kFewestRounds || Clock::now() - start < kBudget; ++round) {
    for (std::size_t i = 0; i < works.size(); ++i) {
      base::check_interrupt();
      const auto before = Clock::now();
      works[i]();
      const std::chrono::duration<double> taken = Clock::now() - before;
      fastest[i] = std::min(fastest[i], taken.count());
    }
  }
  return fastest;
}

std::vector<BenchResult> bench_plain_mel(const BenchMelArgs& args) {
  const audio::MelContract contract;
  const std::vector<float> samples = bench_sound(args.seconds, contract.sample_rate);
  const audio::MelExtractor extractor(contract);
  const std::vector<double> runs_s = fastest_runs_s({[&] { extractor.log_mel(samples); }});
  return {{"mel_plain", args.seconds / runs_s.front(), "x real time"}};
}

}  // namespace xtts::cli
