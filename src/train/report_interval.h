#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "step/step_report.h"
#include "train/lane_times.h"
#include "train/progress_line.h"

namespace myxtts::train {

// Averages losses and times over the steps between two log lines.

// The measured times of one step.
struct StepTiming {
  double learning_rate = 0.0;
  double step_s = 0.0;
  double wait_s = 0.0;
  double host_s = 0.0;            // before the wait: reports, validations, checkpoints
  std::int64_t buffer_depth = 0;  // batches ready after the step
  LaneTimes data = {};            // of the data lane since the previous step
};

// Sums over the steps since the last log line. Mean losses exclude skipped steps; without other
// steps there is no loss.
class ReportInterval {
 public:
  void add(const step::StepReport& losses, const StepTiming& timing, double audio_s);

  // Returns the values of the log line, except for step, total, learning rate and eta.
  ProgressStats progress() const;
  // Returns the TensorBoard scalars, by tag.
  std::vector<std::pair<std::string, double>> scalars() const;

 private:
  std::vector<std::pair<std::string, double>> mean_parts() const;

  std::int64_t steps_ = 0;
  std::int64_t good_steps_ = 0;  // not skipped
  double loss_ = 0.0;
  std::vector<std::pair<std::string, double>> parts_;
  double step_s_ = 0.0;
  double copy_s_ = 0.0;
  double wait_s_ = 0.0;
  double host_s_ = 0.0;
  LaneTimes data_;
  double buffer_depth_ = 0.0;  // sum over steps
  double audio_s_ = 0.0;
};

}  // namespace myxtts::train
