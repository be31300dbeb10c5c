// Formats the progress of a run as log line and progress bar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace myxtts::train {

// The progress of a run for a log line: means over the steps since the last line.
struct ProgressStats {
  std::int64_t step = 0;   // finished steps
  std::int64_t total = 0;  // steps of the run; 0: unknown
  double loss = 0.0;
  std::vector<std::pair<std::string, double>> parts = {};  // most important first
  double lr = 0.0;
  double step_s = 0.0;               // per step
  double audio_s_per_s = 0.0;        // seconds of training audio per second
  double wait_share = 0.0;           // share of the time spent waiting for batches, 0..1
  std::optional<double> eta_s = {};  // until the run ends
};

// Returns "[train] 1200/20000 loss 1.23 (mel 0.98 duration 0.12) lr 1.2e-03 412 ms 35x wait 1% eta
// 2h11": one line without newline, at most 100 columns. Parts that do not fit are dropped, the last
// first.
std::string progress_line(const ProgressStats& stats);

// The current progress of a run, for the progress bar below the log.
struct LiveStats {
  std::int64_t step = 0;
  std::int64_t total = 0;  // steps of the run; 0: unknown
  double share = 0.0;      // finished share of the run, 0..1
  double loss = 0.0;       // of the last step
  double elapsed_s = 0.0;  // since this start of the program
  double steps_per_s = 0.0;
  std::optional<double> eta_s = {};
};

// Returns "training  42%|####      | 840/2000 loss 1.23 [02:06<02:54, 6.60it/s]", to fit `width`
// columns.
std::string live_line(const LiveStats& stats, int width);

// Returns "45s", "12min", "2h05" or "3d4h".
std::string duration_text(double seconds);

}  // namespace myxtts::train
