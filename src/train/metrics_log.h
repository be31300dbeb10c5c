// Writes metrics.jsonl: one JSON object per line, "step" first.
//
//   {"step":12,"epoch":0,"loss":1.5,"loss_mel":1.1,...,"grad_norm":0.7,"lr":0.0001,"step_s":0.4,
//    "copy_s":0.0,"wait_s":0.0,"host_s":0.0,"buffer_depth":50,
//    "data_busy_s":0.1,"data_waiting_s":0.0,"data_blocked_s":0.3,"signature":"...","retraces":0}
//                                                                a training step; "skipped":true
//                                                                if it was rejected
//   {"step":12,"validation_loss":1.4,"validation_mel":1.0,...}   a validation after that step
//   {"step":12,"judged":{"word_error_rate":0.1,...}}             scores of a judge after that step
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "train/append_file.h"
#include "train/evaluation.h"
#include "train/lane_times.h"

namespace myxtts::train {

// The metrics of a training step. Numbers round-trip exactly; values that are not finite are
// written as null.
struct StepMetrics {
  std::int64_t step = 0;  // from 1
  std::int64_t epoch = 0;
  double loss = 0.0;
  std::vector<std::pair<std::string, double>> parts = {};  // step/loss_parts_torch.h
  double grad_norm = 0.0;
  double lr = 0.0;
  double step_s = 0.0;
  double copy_s = 0.0;  // of step_s
  double wait_s = 0.0;
  double host_s = 0.0;
  std::int64_t buffer_depth = 0;
  LaneTimes data = {};  // of the data lane since the previous step
  std::string signature = {};
  std::int64_t retraces = 0;
  bool skipped = false;  // a loss or gradient was not finite; the weights are unchanged
};

// Returns the line of a step without newline.
std::string metrics_line(const StepMetrics& metrics);

// Appends lines to metrics.jsonl. A write error is logged once and never stops the training. Lines
// are buffered until flush(); call it before each checkpoint, so that the file of a killed run has
// all steps of the checkpoint.
class MetricsLog {
 public:
  // Opens the file and truncates it at the first step after `last_step`, validation after
  // `last_validated_step`, judgement after `last_evaluated_step` or incomplete line. A resumed run
  // writes these lines again.
  MetricsLog(const std::filesystem::path& file,
             std::int64_t last_step,
             std::int64_t last_validated_step,
             std::int64_t last_evaluated_step = 0);

  void write(const StepMetrics& metrics);
  // Writes {"step": ..., "validation_loss": ..., "validation_<part>": ...}.
  void write_validation(std::int64_t step,
                        double loss,
                        const std::vector<std::pair<std::string, double>>& parts);
  void write_judgement(const JudgedStep& judged);
  void flush() { file_.flush(); }

 private:
  AppendFile file_;
};

}  // namespace myxtts::train
