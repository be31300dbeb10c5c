#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "step/step_report.h"
#include "train/lane_times.h"
#include "train/progress_line.h"

namespace xtts::train {

struct UpdateTimes {
  double learning_rate = 0.0;
  double step_s = 0.0;
  double wait_s = 0.0;
  double host_s = 0.0;            // before the wait: reports, validations, saves
  std::int64_t buffer_depth = 0;  // updates ready after the step
  LaneTimes data = {};            // what the lane of the data did since the step before
};

// Sums over the updates since the last line of the log. Means of losses are over the updates that
// were made; with none there is no loss to tell.
class ReportInterval {
 public:
  void add(const step::StepReport& losses, const UpdateTimes& taken, double audio_s);

  // What the line of the log has of them; step, total, learning rate and eta are not theirs.
  ProgressFacts progress() const;
  // The same for the board, by tag.
  std::vector<std::pair<std::string, double>> scalars() const;

 private:
  std::vector<std::pair<std::string, double>> mean_parts() const;

  std::int64_t updates_ = 0;
  std::int64_t made_ = 0;  // of them, those that were not refused
  double loss_ = 0.0;
  std::vector<std::pair<std::string, double>> parts_;
  double step_s_ = 0.0;
  double copy_s_ = 0.0;
  double wait_s_ = 0.0;
  double host_s_ = 0.0;
  LaneTimes data_;
  double buffer_depth_ = 0.0;  // summed
  double audio_s_ = 0.0;
};

}  // namespace xtts::train
