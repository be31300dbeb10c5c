#pragma once

#include "rules/finding.h"
#include "rules/record.h"

namespace xtts::rules {

// Everything that the rules find, the worst first, causes before what they cause. Empty: nothing to
// complain about. A pure function; docs/en/diagnose.md has a row per rule.
Findings apply_rules(const Record& record);

// The ids of all rules, in the order in which findings of equal severity stand.
const std::vector<std::string>& rule_ids();

}  // namespace xtts::rules
