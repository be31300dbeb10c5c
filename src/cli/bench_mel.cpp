#include "cli/bench_mel.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "audio/mel.h"
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

double fastest_run_s(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  constexpr int kFewestRuns = 3;
  constexpr std::chrono::duration<double> kBudget(0.5);

  work();
  double fastest = std::numeric_limits<double>::max();
  const auto start = Clock::now();
  for (int run = 0; run < kFewestRuns || Clock::now() - start < kBudget; ++run) {
    const auto before = Clock::now();
    work();
    fastest = std::min(fastest, std::chrono::duration<double>(Clock::now() - before).count());
  }
  return fastest;
}

std::vector<BenchResult> bench_plain_mel(const BenchMelArgs& args) {
  const audio::MelContract contract;
  const std::vector<float> samples = bench_sound(args.seconds, contract.sample_rate);
  const audio::MelExtractor extractor(contract);
  const double run_s = fastest_run_s([&] { extractor.log_mel(samples); });
  return {{"mel_plain", args.seconds / run_s, "x real time"}};
}

}  // namespace xtts::cli
