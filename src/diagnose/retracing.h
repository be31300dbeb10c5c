// Checks that a training run has only the shapes that are prepared before step 1 (`myxtts diagnose
// retracing`).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "config/config.h"
#include "data/shape_plan.h"
#include "diagnose/batch_shapes.h"
#include "diagnose/short_run.h"
#include "rules/finding.h"
#include "rules/record.h"
#include "train/corpora.h"

namespace myxtts::diagnose {

// A setting that affects shapes.
struct ShapeSetting {
  std::string name;     // "max_mel_frames"
  std::string value;    // resolved value
  std::string problem;  // empty: ok
};

struct RetracingReport {
  std::vector<ShapeSetting> settings = {};
  std::vector<std::string> notes = {};  // of the shape plan
  BatchShapes shapes = {};
  std::vector<MeasuredStep> steps = {};
  rules::Findings settings_findings = {};  // about limits and plan, not from rules/
  rules::Record record = {};               // input of the rules
  rules::Findings findings = {};           // all, most severe first
  bool is_refused = false;                 // `train` would refuse these settings

  std::int64_t num_retraces() const;
  double mean_step_s() const;  // 0 without steps
  double std_step_s() const;   // standard deviation; 0 without steps
};

// Validates the settings against the corpus, checks the shapes of all batches of an epoch, and
// loads `num_batches` of them. Throws UserError if the corpus does not fill one batch.
RetracingReport check_shapes(const config::Config& config,
                             const train::Corpora& corpora,
                             std::int64_t num_batches);

// Adds training steps with these settings to the report and updates its findings.
void add_steps(RetracingReport& report, std::vector<MeasuredStep> steps);

std::string to_text(const RetracingReport& report);  // whole lines

// {"healthy", "findings", "settings", "problems", "batches", "steps", "summary", "record"};
// "problems" maps the names of settings to messages.
nlohmann::ordered_json to_json(const RetracingReport& report);

}  // namespace myxtts::diagnose
