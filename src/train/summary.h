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

namespace myxtts::train {

// Collects step times and defines the summary of a run (summary.json).

// Distribution of the step times of a run, in seconds.
struct TimeStats {
  double mean = 0.0;
  double std = 0.0;  // of single steps, not of the mean
  double p10 = 0.0;
  double p50 = 0.0;
  double p90 = 0.0;
  double p99 = 0.0;
};

// Shares of the time of a run, which add up to 1; all 0 without steps.
struct TimeShares {
  double wait = 0.0;     // waiting for data
  double copy = 0.0;     // copying batches to the device
  double compute = 0.0;  // the rest of the steps
  double host = 0.0;     // between steps: reports, validations, checkpoints
};

// Distribution of the buffer depth (ready batches) over the steps of a run.
struct DepthStats {
  std::int64_t min = 0;
  double mean = 0.0;
  std::int64_t p50 = 0;
};

// Histogram of buffer depths, which are bounded: exact for a run of any length.
class DepthCounts {
 public:
  void record(std::int64_t depth);
  DepthStats stats() const;  // zeros without steps

 private:
  std::vector<std::int64_t> counts_;  // by depth
  std::int64_t count_ = 0;
};

// Step and wait times of a run. Means and sums cover all steps. Percentiles are exact for up to
// 65,536 steps and those of a uniform sample of that size beyond (half a megabyte). Not
// thread-safe.
class StepTimes {
 public:
  // `copy_s` is part of `step_s`; `host_s` precedes the wait.
  void record(double step_s, double wait_s, double copy_s = 0.0, double host_s = 0.0);

  std::int64_t count() const { return count_; }
  double total_step_s() const { return total_step_s_; }
  double total_wait_s() const { return total_wait_s_; }
  double wait_share() const;  // of step and wait time, 0..1; 0 without steps
  TimeShares split() const;
  LaneTimes model_lane() const;
  TimeStats stats() const;  // of the step times; zeros without steps

 private:
  std::int64_t count_ = 0;
  double total_step_s_ = 0.0;
  double total_wait_s_ = 0.0;
  double total_copy_s_ = 0.0;
  double total_host_s_ = 0.0;
  double mean_s_ = 0.0;
  double squares_ = 0.0;  // sum of squared deviations from the mean
  std::vector<double> sample_;
  base::Random random_{1};
};

// The output of `train --json` and the content of summary.json. Shares are 0..1. The fields are a
// public contract: fields may be added, never renamed.
struct TrainSummary {
  std::int64_t steps = 0;  // of the run, including those before a resume
  std::int64_t skipped_steps = 0;
  std::int64_t retraces = 0;
  std::int64_t signatures = 0;
  double padding = 0.0;  // share of mel frames
  TimeStats step_s = {};
  double model_busy = 0.0;
  double data_busy = 0.0;
  double wait_share = 0.0;
  TimeShares time_split = {};
  LaneTimes data_lane = {};  // both over this start, including the time between steps
  LaneTimes model_lane = {};
  DepthStats buffer_depth = {};
  double frames_per_s = 0.0;
  double audio_s_per_s = 0.0;
  std::int64_t peak_rss_bytes = 0;
  std::optional<double> final_loss = {};       // absent: no step ran
  std::optional<double> validation_loss = {};  // absent: never validated
  std::optional<JudgedStep> judged = {};       // last result of the judge; absent: never judged
  std::optional<JudgedStep> judged_best = {};  // best result; its checkpoint is kept
  std::int64_t skipped_utterances = 0;         // unusable recordings
  std::int64_t left_out_utterances = 0;        // filtered by length
  std::string mode = "single_buffered";        // or "multi_device"
  std::string limited_by = {};                 // rules::limit_line()
  double seconds = 0.0;                        // of this start, wall time
  bool is_stopped = false;                     // by TrainRequest::should_stop; not in the JSON
};

// Converts absent and non-finite numbers to null.
nlohmann::ordered_json to_json(const TrainSummary& summary);

}  // namespace myxtts::train
