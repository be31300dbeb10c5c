#include "bench/bench_mel.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "audio/wav.h"
#include "base/interrupt.h"
#include "support/temp_dir.h"

namespace myxtts::bench {
namespace {

TEST(BenchSignal, HasTheRequestedLengthAndIsDeterministicAndNotClipped) {
  const std::vector<float> signal = bench_signal(0.5, 22050);

  EXPECT_EQ(signal.size(), 11025U);
  EXPECT_EQ(signal, bench_signal(0.5, 22050));
  for (const float sample : signal)
    ASSERT_LT(std::abs(sample), 1.0F);
}

TEST(FastestRuns, MeasuresEachFunctionSeparately) {
  int num_fast = 0;
  const std::vector<double> runs_s = fastest_runs_s({
      [&] { ++num_fast; },
      [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); },
  });

  ASSERT_EQ(runs_s.size(), 2U);
  EXPECT_GE(num_fast, 4);
  EXPECT_LT(runs_s[0], 0.02);
  EXPECT_GE(runs_s[1], 0.02);
}

// Runs in a child process, because a received signal stays pending.
TEST(FastestRunsDeathTest, StopsAfterASignal) {
  const auto run_until_a_signal = [] {
    base::catch_interrupts();
    int num_runs = 0;
    try {
      fastest_runs_s({[&] {
        if (++num_runs == 2) std::raise(SIGINT);
      }});
    } catch (const base::Interrupted&) {
      std::_Exit(num_runs);
    }
    std::_Exit(0);
  };

  EXPECT_EXIT(run_until_a_signal(), testing::ExitedWithCode(2), "");
}

std::map<std::string, double> values_of(const std::vector<BenchResult>& results) {
  std::map<std::string, double> values;
  for (const BenchResult& result : results)
    values[result.name] = result.value;
  return values;
}

TEST(BenchMelExtractors, ReportsRealTimeFactorsTheirRatioAndDifference) {
  auto values = values_of(bench_mel_extractors({.seconds = 0.2}));

  EXPECT_GT(values["mel_reference"], 1.0);
  EXPECT_GT(values["mel_fast"], values["mel_reference"]);
  EXPECT_NEAR(values["mel_fast_to_reference"],
              values["mel_fast"] / values["mel_reference"],
              1e-9 * values["mel_fast_to_reference"]);
  EXPECT_GT(values["mel_fast_largest_difference"], 0.0);
  EXPECT_LT(values["mel_fast_largest_difference"], 5e-3);
}

TEST(MelBenchmark, ResamplesARecordingToTheRateOfTheMelSpec) {
  const support::TempDir folder;
  const std::filesystem::path file =
      folder.write("a.wav", audio::wav_bytes(bench_signal(0.5, 16000), 16000));

  const MelBenchmark mels({.seconds = 20.0, .audio = file.string()});

  EXPECT_EQ(mels.samples().size(), 11025U);
  EXPECT_DOUBLE_EQ(mels.seconds(), 0.5);
}

}  // namespace
}  // namespace myxtts::bench
