#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace xtts::train {

// Where a training is: means over the updates since the last line.
struct ProgressFacts {
  std::int64_t step = 0;   // updates finished
  std::int64_t total = 0;  // of the run; 0: not known
  double loss = 0.0;
  std::vector<std::pair<std::string, double>> parts = {};  // the most telling first
  double lr = 0.0;
  double step_s = 0.0;               // per update
  double audio_s_per_s = 0.0;        // seconds of speech trained on in one second
  double wait_share = 0.0;           // of the time spent waiting for batches, 0..1
  std::optional<double> eta_s = {};  // until the run ends
};

// "[train] 1200/20000 loss 1.23 (mel 0.98 duration 0.12) lr 1.2e-03 412 ms 35x wait 1% eta 2h11":
// one line without newline, at most 100 columns. Parts that do not fit are left out, the last
// first.
std::string progress_line(const ProgressFacts& facts);

// "45s", "12min", "2h05", "3d4h".
std::string duration_text(double seconds);

}  // namespace xtts::train
