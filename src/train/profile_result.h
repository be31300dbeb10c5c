// The result of `train --profile N`, as text and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "rules/finding.h"
#include "rules/record.h"

namespace myxtts::train {

// The self time of an operator, without the operators it calls.
struct OperatorCost {
  std::string name;
  double seconds = 0.0;
  std::int64_t calls = 0;
};

struct ProfiledSteps {
  rules::Record record = {};                 // with the profiled steps only
  rules::Findings findings = {};             // in the record, most severe first
  std::vector<OperatorCost> operators = {};  // on the model thread, longest first
  std::string trace = {};                    // file, relative to the run; empty: none
};

// Returns log lines: the time split of the steps, the most expensive operators, the findings, and
// what limited the speed.
std::string to_text(const ProfiledSteps& profile);

// Returns {"steps", "step_s", "time_split", "operators", "limit", "limited_by", "findings",
// "trace", "record"}
nlohmann::ordered_json to_json(const ProfiledSteps& profile);

}  // namespace myxtts::train
