#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace xtts::train {

// One line of metrics.jsonl. Numbers are written so that reading gives the same bits back.
struct StepMetrics {
  std::int64_t step = 0;  // updates finished, from 1
  std::int64_t epoch = 0;
  double loss = 0.0;
  std::vector<std::pair<std::string, double>> parts;  // "mel", "prior", "duration", "energy"
  double grad_norm = 0.0;
  double lr = 0.0;
  double step_s = 0.0;
  double wait_s = 0.0;
  std::string signature;
  std::int64_t retraces = 0;
  bool skipped = false;  // a loss or gradient was not finite; nothing was changed
};

std::string metrics_line(const StepMetrics& metrics);  // without newline

// Appends lines to metrics.jsonl. What cannot be written (a full disk) is said once and lost; it
// never stops a training.
class MetricsLog {
 public:
  // Opens, and first cuts away every line after `last_step` and a torn last one.
  MetricsLog(std::filesystem::path file, std::int64_t last_step);
  ~MetricsLog();
  MetricsLog(const MetricsLog&) = delete;
  MetricsLog& operator=(const MetricsLog&) = delete;

  void write(const StepMetrics& metrics);
  // A validation: {"step": ..., "validation_loss": ..., "validation_<part>": ...}.
  void write_validation(std::int64_t step,
                        double loss,
                        const std::vector<std::pair<std::string, double>>& parts);
  void flush();

 private:
  std::filesystem::path path_;
  int file_ = -1;
  bool failed_ = false;
  std::string pending_;
};

}  // namespace xtts::train
