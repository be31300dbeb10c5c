// What `myxtts bench` measures and how: shared by the part without LibTorch and the part with it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "audio/fast_mel.h"
#include "audio/mel.h"

namespace xtts::cli {

struct BenchMelArgs {
  double seconds = 20.0;       // of sound, unless there is a recording
  std::string audio{};         // a recording to take instead; empty: bench_vocoder()
  std::string device = "cpu";  // of the LibTorch side
  bool json = false;
};

struct BenchResult {
  std::string name;
  double value = 0.0;
  std::string unit;
};

// A voice-like sound at `sample_rate`, the same in every run.
std::vector<float> bench_vocoder(double seconds, int sample_rate);

// Wall seconds of one call of each work, the fastest of at least three after one that warms up, and
// of as many as fit into a second for all. They take turns, so that what else the machine does
// meets them alike. Throws base::Interrupted between two calls after a signal.
std::vector<double> fastest_runs_s(const std::vector<std::function<void()>>& works);

// Our two mels by the default contract over one sound, on the calling thread.
class OurMels {
 public:
  // Throws as read_recording() where the recording cannot be read.
  explicit OurMels(const BenchMelArgs& args);

  void run_plain() { plain_mel_ = plain_.log_mel(samples_); }
  void run_fast() { fast_.log_mel(samples_, scratch_, fast_mel_); }

  const audio::MelSpec& contract() const { return plain_.contract(); }
  const std::vector<float>& samples() const { return samples_; }
  double seconds() const;                                     // of sound
  const audio::Mel& plain_mel() const { return plain_mel_; }  // of run_plain()

  // mel_reference and mel_fast in "x real time" (seconds of sound per second of work), their ratio
  // and their largest difference, from the wall seconds that one run of each took. Both have run.
  std::vector<BenchResult> results(double plain_s, double fast_s) const;

 private:
  audio::ReferenceMel plain_;
  audio::FastMel fast_;
  std::vector<float> samples_;
  audio::Mel plain_mel_;
  audio::FastMel::Scratch scratch_;
  std::vector<float> fast_mel_;
};

// OurMels without anything beside.
std::vector<BenchResult> bench_our_mels(const BenchMelArgs& args);

}  // namespace xtts::cli
