#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/random.h"
#include "train/evaluation.h"
#include "train/lane_times.h"

namespace xtts::train {

// Seconds, over the steps of a run.
struct TimeSpread {
  double mean = 0.0;
  double std = 0.0;  // of the steps themselves, not of their mean
  double p10 = 0.0;
  double p50 = 0.0;
  double p90 = 0.0;
  double p99 = 0.0;
};

// Where the time of a run went: shares of it that add up to 1, all 0 without updates.
struct TimeSplit {
  double wait = 0.0;     // for data
  double copy = 0.0;     // bringing batches to the model
  double compute = 0.0;  // the rest of the steps
  double host = 0.0;     // between the steps: reports, validations, saves
};

// How many updates were ready, over the steps of a run.
struct DepthSpread {
  std::int64_t min = 0;
  double mean = 0.0;
  std::int64_t p50 = 0;
};

// Counts depths of the buffer, which has an end: exact for a run of any length.
class DepthCounts {
 public:
  void record(std::int64_t depth);
  DepthSpread spread() const;  // zeros without any

 private:
  std::vector<std::int64_t> counts_;  // by depth
  std::int64_t count_ = 0;
};

// The times of a run's updates: how long each took, and how long the model waited before it. Means
// and sums are of all; percentiles are exact for the first 65,536 updates and those of a fair
// sample of that size after them, so that a run of any length needs half a megabyte. Not
// thread-safe.
class StepTimes {
 public:
  // `copy_s` is a part of `step_s`; `host_s` came before the wait.
  void record(double step_s, double wait_s, double copy_s = 0.0, double host_s = 0.0);

  std::int64_t count() const { return count_; }
  double total_step_s() const { return total_step_s_; }
  double total_wait_s() const { return total_wait_s_; }
  double wait_share() const;  // of both, 0..1; 0 without updates
  TimeSplit split() const;
  LaneTimes model_lane() const;
  TimeSpread spread() const;  // of the step times; zeros without updates

 private:
  std::int64_t count_ = 0;
  double total_step_s_ = 0.0;
  double total_wait_s_ = 0.0;
  double total_copy_s_ = 0.0;
  double total_host_s_ = 0.0;
  double mean_s_ = 0.0;
  double squares_ = 0.0;  // sum of the squared distances from the mean
  std::vector<double> sample_;
  base::Random random_{1};
};

// What `train --json` answers and summary.json holds. Shares are 0..1. Fields are a contract: more
// may be added, none renamed.
struct TrainSummary {
  std::int64_t steps = 0;  // updates of the run so far, with those before a resume
  std::int64_t skipped_steps = 0;
  std::int64_t retraces = 0;
  std::int64_t signatures = 0;
  double padding = 0.0;  // share of mel frames
  TimeSpread step_s = {};
  double model_busy = 0.0;
  double data_busy = 0.0;
  double wait_share = 0.0;
  TimeSplit time_split = {};
  LaneTimes data_lane = {};  // both over the steps of this start and the time between them
  LaneTimes model_lane = {};
  DepthSpread buffer_depth = {};
  double frames_per_s = 0.0;
  double audio_s_per_s = 0.0;
  std::int64_t peak_rss_bytes = 0;
  std::optional<double> final_loss = {};       // absent: no update was made
  std::optional<double> validation_loss = {};  // absent: never validated
  std::optional<Judged> judged = {};           // the last answer of the judge; absent: never asked
  std::optional<Judged> judged_best = {};      // the best; its save is kept
  std::int64_t skipped_utterances = 0;         // bad ones
  std::int64_t left_out_utterances = 0;        // longer than the limits
  std::string mode = "single_buffered";        // or "multi_device"
  std::string limited_by = {};                 // rules::limit_line()
  double seconds = 0.0;                        // of this start, wall time
};

// Absent and not finite numbers are null.
nlohmann::ordered_json to_json(const TrainSummary& summary);

}  // namespace xtts::train
