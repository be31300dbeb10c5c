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

// Wall seconds of one call of `work`, the fastest of as many as fit into half a second, at least
// three after one that warms up: what the machine can do, with the least of its other work in it.
double fastest_run_s(const std::function<void()>& work);

// mel_plain in "x real time": seconds of sound per second of work, one thread.
std::vector<BenchResult> bench_plain_mel(const BenchMelArgs& args);

}  // namespace xtts::cli
