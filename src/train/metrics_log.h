// metrics.jsonl: one JSON object per line, "step" first.
//
//   {"step":12,"epoch":0,"loss":1.5,"loss_mel":1.1,...,"grad_norm":0.7,"lr":0.0001,"step_s":0.4,
//    "copy_s":0.0,"wait_s":0.0,"host_s":0.0,"buffer_depth":50,
//    "data_busy_s":0.1,"data_waiting_s":0.0,"data_blocked_s":0.3,"signature":"...","retraces":0}
//                                                                an update; "skipped":true if it
//                                                                was
//   {"step":12,"validation_loss":1.4,"validation_mel":1.0,...}   a validation after that update
//   {"step":12,"judged":{"word_error_rate":0.1,...}}             what a judge said after it
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "train/append_file.h"
#include "train/evaluation.h"
#include "train/lane_times.h"

namespace xtts::train {

// One line of metrics.jsonl. Numbers are written so that reading gives the same bits back; those
// that are not finite are null.
struct StepMetrics {
  std::int64_t step = 0;  // updates finished, from 1
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
  LaneTimes data = {};  // of the lane of the data since the step before
  std::string signature = {};
  std::int64_t retraces = 0;
  bool skipped = false;  // a loss or gradient was not finite; nothing was changed
};

std::string metrics_line(const StepMetrics& metrics);  // without newline

// Appends lines to metrics.jsonl. What cannot be written (a full disk) is said once and lost; it
// never stops a training. Lines wait in memory until flush(): call it before each save, so that a
// run that is killed has the lines of every update that its save has.
class MetricsLog {
 public:
  // Opens, and first cuts away every line after `last_step`, every validation after
  // `last_validated_step` and every answer of a judge after `last_evaluated_step` (they will be
  // made again) and a torn last line: the file is cut once, at the first such line, since steps
  // only rise.
  MetricsLog(const std::filesystem::path& file,
             std::int64_t last_step,
             std::int64_t last_validated_step,
             std::int64_t last_evaluated_step = 0);

  void write(const StepMetrics& metrics);
  // A validation: {"step": ..., "validation_loss": ..., "validation_<part>": ...}.
  void write_validation(std::int64_t step,
                        double loss,
                        const std::vector<std::pair<std::string, double>>& parts);
  void write_judged(const Judged& judged);
  void flush() { file_.flush(); }

 private:
  AppendFile file_;
};

}  // namespace xtts::train
