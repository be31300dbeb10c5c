// What `myxtts diagnose bottleneck` finds out: which stage between the disk and the model holds a
// training up, and by how much.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "config/config.h"
#include "diagnose/loader_times.h"
#include "diagnose/run_lanes.h"
#include "diagnose/short_run.h"
#include "diagnose/stage_times.h"
#include "pipeline/lanes.h"
#include "verdict/finding.h"
#include "verdict/record.h"

namespace xtts::diagnose {

struct BottleneckReport {
  std::string corpus = {};  // one line, for people
  StageTimes stages = {};
  LoaderTimes loader = {};
  std::vector<RunStep> steps = {};  // none in a build without LibTorch
  std::vector<RunLane> lanes = {};  // of these steps
  verdict::Record record = {};      // what the rules saw
  verdict::Findings findings = {};  // the worst first
};

// The settings of a record, as far as they are known before a run.
verdict::Settings settings_for_record(const config::Config& config,
                                      const pipeline::LanePlan& lanes,
                                      std::int64_t num_utterances);

// Cost of a row of a batch, by what it costs to load an utterance once. Text is read once per run,
// the others once per epoch; without a cache every row also has a clip of another recording.
std::vector<verdict::Stage> stages_per_row(const std::vector<verdict::Stage>& stages,
                                           const config::Config& config,
                                           double planned_epochs);

// Measures stages and loader on the corpus of the configuration; no step is made. Throws as `train`
// does for a corpus that cannot be used.
BottleneckReport measure_bottleneck(const config::Config& config, int num_batches);

// Steps that were made with these settings join the report; then it is judged. The first of several
// is not: it asks for the memory of all.
void judge_bottleneck(BottleneckReport& report, std::vector<RunStep> steps);

std::string to_text(const BottleneckReport& report);  // whole lines
std::string to_html(const BottleneckReport& report);  // a page of its own

// {"healthy", "findings", "limit", "limited_by", "stages", "loader", "training", "record"}
nlohmann::ordered_json to_json(const BottleneckReport& report);

}  // namespace xtts::diagnose
