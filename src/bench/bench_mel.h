// Provides `myxtts bench mel` and the timing helpers of all benchmarks; needs no LibTorch.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "audio/fast_mel.h"
#include "audio/mel.h"

namespace myxtts::bench {

struct BenchMelArgs {
  double seconds = 20.0;       // length of the generated audio
  std::string audio{};         // audio file to use instead; empty: bench_signal()
  std::string device = "cpu";  // device of the LibTorch mel
  bool json = false;
};

struct BenchResult {
  std::string name;
  double value = 0.0;
  std::string unit;
};

// Returns a deterministic voice-like signal at `sample_rate`.
std::vector<float> bench_signal(double seconds, int sample_rate);

// Returns the wall seconds of the fastest call of each function. Each function runs once to warm
// up, then at least three times; all functions together run for about a second. They alternate, so
// that other load on the machine affects all of them. Throws base::Interrupted between two calls
// after a signal.
std::vector<double> fastest_runs_s(const std::vector<std::function<void()>>& functions);

// Runs the reference and the fast mel extractor with the default mel spec on the calling thread.
class MelBenchmark {
 public:
  // Throws as audio::read_recording() does if the audio file cannot be read.
  explicit MelBenchmark(const BenchMelArgs& args);

  void run_reference() { reference_mel_ = reference_.log_mel(samples_); }
  void run_fast() { fast_.log_mel(samples_, scratch_, fast_mel_); }

  const audio::MelSpec& spec() const { return reference_.spec(); }
  const std::vector<float>& samples() const { return samples_; }
  double seconds() const;                                             // length of the audio
  const audio::Mel& reference_mel() const { return reference_mel_; }  // result of run_reference()

  // Returns mel_reference and mel_fast in "x real time" (seconds of audio per wall second), their
  // ratio and their largest difference, given the wall seconds of one run of each. Both must have
  // run.
  std::vector<BenchResult> results(double reference_s, double fast_s) const;

 private:
  audio::ReferenceMel reference_;
  audio::FastMel fast_;
  std::vector<float> samples_;
  audio::Mel reference_mel_;
  audio::FastMel::Scratch scratch_;
  std::vector<float> fast_mel_;
};

// Returns the results of bench_mel_extractors(), and mel_libtorch ("x real time") with its ratios
// and its largest difference from the reference. Needs LibTorch.
std::vector<BenchResult> bench_mel(const BenchMelArgs& args);

// Compares the reference and the fast mel extractor. Needs no LibTorch.
std::vector<BenchResult> bench_mel_extractors(const BenchMelArgs& args);

}  // namespace myxtts::bench
