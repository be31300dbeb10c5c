// Measures which stage between disk and model limits training speed (`myxtts diagnose bottleneck`).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "config/config.h"
#include "diagnose/loader_times.h"
#include "diagnose/run_lanes.h"
#include "diagnose/short_run.h"
#include "diagnose/stage_times.h"
#include "rules/finding.h"
#include "rules/record.h"

namespace myxtts::diagnose {

// Model time per utterance without waiting for data.
struct ModelAlone {
  double copy_s = 0.0;  // inputs to the device
  double step_s = 0.0;  // the rest of a step
};

struct BottleneckReport {
  std::string corpus = {};  // one-line description
  StageTimes stages = {};
  LoaderTimes loader = {};
  std::optional<ModelAlone> model = {};  // absent in a build without LibTorch
  std::vector<RunLane> lanes = {};       // of the short run; empty without LibTorch
  rules::Record record = {};             // input of the rules
  rules::Findings findings = {};         // most severe first
};

// Returns the cost of loading one batch row, from the cost of loading an utterance once. Text and
// cached mels are computed once per run. Without a cache, mels are computed once per epoch, and
// each row also loads a reference clip from another recording.
std::vector<rules::Stage> stages_per_row(const std::vector<rules::Stage>& stages,
                                         const config::Config& config,
                                         double planned_epochs);

// Measures stages and loader on the corpus of the configuration; runs no training step. Throws the
// errors of `train` for an unusable corpus.
BottleneckReport measure_bottleneck(const config::Config& config, int num_batches);

// Returns the median model time of a run whose mels are in memory.
ModelAlone model_alone(const rules::Record& run);

// Adds the record of a short run to the report, except for its first step (which allocates memory)
// and its planned length.
void add_run(BottleneckReport& report, ShortRun run);

// Applies the rules to report.record. Call it after all measurements.
void bottleneck_findings(BottleneckReport& report);

std::string to_text(const BottleneckReport& report);  // whole lines
std::string to_html(const BottleneckReport& report);  // a complete HTML page

// {"healthy", "findings", "limit", "limited_by", "stages", "loader", "training", "record"}
nlohmann::ordered_json to_json(const BottleneckReport& report);

}  // namespace myxtts::diagnose
