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

// Where a training is at this moment, for the bar below the log.
struct LiveFacts {
  std::int64_t step = 0;
  std::int64_t total = 0;  // of the run; 0: not known
  double share = 0.0;      // of the run that is done, 0..1
  double loss = 0.0;       // of the last update
  double elapsed_s = 0.0;  // of this start
  double steps_per_s = 0.0;
  std::optional<double> eta_s = {};
};

// "training  42%|####      | 840/2000 loss 1.23 [02:06<02:54, 6.60it/s]", to fit `width` columns.
std::string live_line(const LiveFacts& facts, int width);

// "45s", "12min", "2h05", "3d4h".
std::string duration_text(double seconds);

}  // namespace xtts::train
