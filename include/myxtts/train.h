// Trains an acoustic model (a voice) or a vocoder.
//
//   myxtts::Training training({.corpus = "corpus", .run_folder = "runs/voice", .max_minutes = 5});
//   const myxtts::TrainingResult result = training.run();
//
// Link with myxtts::myxtts (libmyxtts.so).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <myxtts/error.h>

namespace myxtts {

enum class Model { kAcoustic, kVocoder };

struct TrainingOptions {
  std::string corpus = {};      // corpus folder
  std::string run_folder = {};  // checkpoints, log and metrics; a run with checkpoints is resumed
  Model model = Model::kAcoustic;
  std::optional<std::int64_t> max_steps = {};  // in all starts together
  std::optional<double> max_minutes = {};      // only steps count
  // Further keys of docs/reference/config.md, such as {"data.batch_size", "8"}.
  std::vector<std::pair<std::string, std::string>> settings = {};
};

struct TrainingProgress {
  std::int64_t step = 0;         // finished steps, over all starts
  std::int64_t total_steps = 0;  // 0: not known yet
  double loss = 0.0;             // NaN if the step was skipped
  double learning_rate = 0.0;
  double step_s = 0.0;
};

struct TrainingResult {
  std::int64_t steps = 0;                      // over all starts
  bool is_stopped = false;                     // by stop(); run() of a new Training resumes
  std::optional<double> final_loss = {};       // of the last step; absent: no step ran
  std::optional<double> validation_loss = {};  // of the last periodic validation, if any
};

// One start of a training run.
//
// run() trains on threads that end before it returns, and on those of LibTorch. stop() may be
// called from any thread and from the progress callback. At most one Training may run in a process
// at a time. The run folder is locked against other processes. The log goes to RUN/log.txt; nothing
// is printed, and signals are not touched.
class Training {
 public:
  // Resolves and checks the configuration. A resumed run keeps the configuration it was started
  // with; `options` override it. Throws one UsageError that lists all problems.
  explicit Training(const TrainingOptions& options);
  ~Training();
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  // Trains until a limit is reached or stop() is called, and writes a checkpoint. `on_progress` is
  // called after each step, on the thread that trains. Exceptions that it throws end the run
  // without a checkpoint and are passed on. Throws UserError if a file or device fails.
  TrainingResult run(const std::function<void(const TrainingProgress&)>& on_progress = {});

  // Ends run() after the current step, with a checkpoint.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace myxtts
