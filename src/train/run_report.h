#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>

#include "config/config.h"
#include "pipeline/batch.h"
#include "pipeline/prefetcher.h"
#include "pipeline/shape_plan.h"
#include "rules/record.h"
#include "step/step_report.h"
#include "train/corpora.h"
#include "train/event_file.h"
#include "train/plateau.h"
#include "train/report_interval.h"
#include "train/summary.h"
#include "train/train_state.h"

namespace xtts::train {

// What a run shows: the log, the progress bar, metrics.jsonl, the event file, the summary. Knows
// nothing that a save needs.
class RunReport {
 public:
  RunReport(const config::Config& config, const std::filesystem::path& run);
  ~RunReport();

  void say(const std::string& text);  // whole lines, to the log and standard error
  void begin(const TrainState& state);
  void update(const TrainState& state,
              const pipeline::Batch& update,
              const step::StepReport& losses,
              const UpdateTimes& times);
  void schedule_fixed(const TrainState& state);
  void validation(const TrainState& state,
                  const step::StepReport& losses,
                  const PlateauDecision& verdict);
  void judged(const TrainState& state, std::size_t num_unspoken, double seconds);
  void not_judged(const TrainState& state, const std::string& reason);
  // What takes a while, on the line below the log, until something else is there.
  void show_work(const std::string& words);
  void final_validation(const TrainState& state, const step::StepReport& losses);
  void saved(const TrainState& state, double seconds);
  void broken_save(const std::string& folder, const std::string& reason);
  void rolled_back(const TrainState& state, std::int64_t from_step);
  void interrupted(const TrainState& state);
  void finish(const TrainState& state);
  void flush();

  TrainSummary summary(const TrainState& state,
                       const pipeline::ShapePlan& plan,
                       const Corpora& corpora,
                       const pipeline::PrefetchReport& data) const;
  // The last steps of this start, at most 4,096, for the verdict.
  const std::deque<rules::Step>& last_steps() const;
  // Says what limited the run, the last line of its log, and returns it.
  std::string limit(const rules::Record& record);
  EventFile& events();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace xtts::train
