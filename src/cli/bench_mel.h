// What `myxtts bench` measures and how: shared by the part without LibTorch and the part with it.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace xtts::cli {

struct BenchMelArgs {
  double seconds = 20.0;       // of sound
  std::string device = "cpu";  // of the LibTorch side
  bool json = false;
};

struct BenchResult {
  std::string name;
  double value = 0.0;
  std::string unit;
};

// A voice-like sound at `sample_rate`, the same in every run.
std::vector<float> bench_sound(double seconds, int sample_rate);

// Wall seconds of one call of each work, the fastest of at least three after one that warms up, and
// of as many as fit into a second for all. They take turns, so that what else the machine does
// meets them alike. Throws base::Interrupted between two calls after a signal.
std::vector<double> fastest_runs_s(const std::vector<std::function<void()>>& works);

// mel_plain in "x real time": seconds of sound per second of work, one thread.
std::vector<BenchResult> bench_plain_mel(const BenchMelArgs& args);

}  // namespace xtts::cli
