#pragma once

#include "verdict/finding.h"
#include "verdict/record.h"

namespace xtts::verdict {

// Everything that the rules find, the worst first, causes before what they cause. Empty: nothing to
// complain about. A pure function; docs/en/diagnose.md has a row per rule.
Findings judge(const Record& record);

// The ids of all rules, in the order in which findings of equal severity stand.
const std::vector<std::string>& rule_ids();

}  // namespace xtts::verdict
