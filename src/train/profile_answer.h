// What `train --profile N` found out, for people and for machines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "rules/finding.h"
#include "rules/record.h"

namespace xtts::train {

// An operator of LibTorch, or one of our own, without those that it called.
struct OperatorCost {
  std::string name;
  double seconds = 0.0;
  std::int64_t calls = 0;
};

struct ProfiledSteps {
  rules::Record record = {};                 // with the steps that were looked at, and no others
  rules::Findings findings = {};             // in it, the worst first
  std::vector<OperatorCost> operators = {};  // on the model's thread, the longest first
  std::string trace = {};                    // file, relative to the run; empty: none was made
};

// Whole lines: where the time of these steps went, the operators that took the most of it, the
// findings, and what limited them.
std::string to_text(const ProfiledSteps& profile);

// {"steps", "step_s", "time_split", "operators", "limit", "limited_by", "findings", "trace",
// "record"}
nlohmann::ordered_json to_json(const ProfiledSteps& profile);

}  // namespace xtts::train
