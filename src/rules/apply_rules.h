#pragma once

#include "rules/finding.h"
#include "rules/record.h"

namespace myxtts::rules {

// Applies all rules to a record and returns their findings, most severe first.
//
// Among findings of equal severity, causes come before effects. The result is empty for a healthy
// record. A pure function; docs/en/diagnose.md has a row per rule.
Findings apply_rules(const Record& record);

// Returns the ids of all rules in the order of findings of equal severity.
const std::vector<std::string>& rule_ids();

}  // namespace myxtts::rules
