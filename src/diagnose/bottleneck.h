// What `myxtts diagnose bottleneck` finds out: which stage between the disk and the model holds a
// training up, and by how much.
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

namespace xtts::diagnose {

// What the model costs per utterance with nothing to wait for.
struct ModelAlone {
  double copy_s = 0.0;  // inputs to the device
  double step_s = 0.0;  // the rest of a step
};

struct BottleneckReport {
  std::string corpus = {};  // one line, for people
  StageTimes stages = {};
  LoaderTimes loader = {};
  std::optional<ModelAlone> model = {};  // absent in a build without LibTorch
  std::vector<RunLane> lanes = {};       // of the training; none in such a build
  rules::Record record = {};             // what the rules saw
  rules::Findings findings = {};         // the worst first
};

// Cost of a row of a batch, by what it costs to load an utterance once. Text is read once per run,
// and so are mels that are kept; without a cache they are made once per epoch, and every row also
// has a clip of another recording.
std::vector<rules::Stage> stages_per_row(const std::vector<rules::Stage>& stages,
                                         const config::Config& config,
                                         double planned_epochs);

// Measures stages and loader on the corpus of the configuration; no step is made. Throws as `train`
// does for a corpus that cannot be used.
BottleneckReport measure_bottleneck(const config::Config& config, int num_batches);

// The usual costs of a run whose mels are in memory.
ModelAlone model_alone(const rules::Record& run);

// What a training with these settings knew of itself joins the report, but for its first step,
// which asks for the memory of all, and for how long it was to be.
void add_run(BottleneckReport& report, ShortRun run);

// After everything was measured.
void bottleneck_findings(BottleneckReport& report);

std::string to_text(const BottleneckReport& report);  // whole lines
std::string to_html(const BottleneckReport& report);  // a page of its own

// {"healthy", "findings", "limit", "limited_by", "stages", "loader", "training", "record"}
nlohmann::ordered_json to_json(const BottleneckReport& report);

}  // namespace xtts::diagnose
