#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>

#include "config/config.h"
#include "data/batch.h"
#include "data/prefetcher.h"
#include "data/shape_plan.h"
#include "rules/record.h"
#include "step/step_report.h"
#include "train/corpora.h"
#include "train/event_file.h"
#include "train/plateau.h"
#include "train/report_interval.h"
#include "train/summary.h"
#include "train/train_state.h"

namespace myxtts::train {

// Writes the log, progress bar, metrics.jsonl, event file and summary of a run.
//
// Holds no state that a checkpoint needs.
class RunReport {
 public:
  RunReport(const config::Config& config, const std::filesystem::path& run);
  ~RunReport();

  void log(const std::string& text);  // whole lines, to the log and standard error
  void begin(const TrainState& state);
  void step_finished(const TrainState& state,
                     const data::Batch& batch,
                     const step::StepReport& losses,
                     const StepTiming& timing);
  void schedule_estimated(const TrainState& state);
  void validation(const TrainState& state,
                  const step::StepReport& losses,
                  const PlateauDecision& decision);
  void judged(const TrainState& state, std::size_t num_unspoken, double seconds);
  void not_judged(const TrainState& state, const std::string& reason);
  // Shows the current activity on the live line below the log.
  void show_activity(const std::string& text);
  void final_validation(const TrainState& state, const step::StepReport& losses);
  void checkpoint_saved(const TrainState& state, double seconds);
  void skipped_checkpoint(const std::string& folder, const std::string& reason);
  void rolled_back(const TrainState& state, std::int64_t from_step);
  void interrupted(const TrainState& state);
  void finish(const TrainState& state);
  void flush();

  TrainSummary summary(const TrainState& state,
                       const data::ShapePlan& plan,
                       const Corpora& corpora,
                       const data::PrefetchReport& data) const;
  // Returns the last steps of this start, at most 4,096, for the diagnosis.
  const std::deque<rules::Step>& last_steps() const;
  // Logs the limit line as the last line of the run and returns it.
  std::string limit(const rules::Record& record);
  EventFile& events();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace myxtts::train
