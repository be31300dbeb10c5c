// What `myxtts diagnose retracing` finds out: will a training of this configuration have the shapes
// that were prepared before step 1, and no others?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "config/config.h"
#include "diagnose/batch_shapes.h"
#include "diagnose/short_run.h"
#include "pipeline/shape_plan.h"
#include "rules/finding.h"
#include "rules/record.h"
#include "train/corpora.h"

namespace xtts::diagnose {

// A setting that decides over shapes.
struct ShapeSetting {
  std::string name;     // "max_mel_frames"
  std::string value;    // what it comes to
  std::string problem;  // empty: it is as it should be
};

struct RetracingReport {
  std::vector<ShapeSetting> settings = {};
  std::vector<std::string> notes = {};  // of the plan, for people
  BatchShapes shapes = {};
  std::vector<RunStep> steps = {};
  rules::Findings of_settings = {};  // limits and plan, found without a rule of rules/
  rules::Record record = {};         // what the rules saw
  rules::Findings findings = {};     // all, the worst first
  bool is_refused = false;           // a training would not begin

  std::int64_t num_retraces() const;
  double mean_step_s() const;       // 0 without steps
  double deviation_step_s() const;  // of the steps themselves
};

// Validates the settings against the corpus, looks at every batch of an epoch and at `num_updates`
// real updates. Throws UserError if the corpus does not fill one update.
RetracingReport check_shapes(const config::Config& config,
                             const train::Corpora& corpora,
                             std::int64_t num_updates);

// Steps that were made with these settings join the report, which is judged anew.
void add_steps(RetracingReport& report, std::vector<RunStep> steps);

std::string to_text(const RetracingReport& report);  // whole lines

// {"healthy", "findings", "settings", "problems", "batches", "steps", "summary", "record"};
// problems are those of settings, by their names.
nlohmann::ordered_json to_json(const RetracingReport& report);

}  // namespace xtts::diagnose
