#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace xtts::rules {

enum class Severity {
  kCritical,  // most of the time is lost, or the run is in danger
  kWarning,   // it costs time or quality that a remedy would give back
  kNote,      // worth knowing; the run is healthy all the same
};

std::string_view name_of(Severity severity);  // "critical", "warning", "note"

// One thing that was found. The id is a contract: machines and docs/en/diagnose.md know it.
struct Finding {
  std::string id;  // "one_worker"
  Severity severity = Severity::kWarning;
  std::string message;  // one sentence with the numbers that were measured
  // Flags or a command, to be pasted; a sentence where there is nothing to type. Commands lack the
  // corpus and the configuration until complete_suggestions() (remedy.h).
  std::string suggestion;

  bool operator==(const Finding&) const = default;
};

using Findings = std::vector<Finding>;

// False if one of them is a warning or worse.
bool is_healthy(std::span<const Finding> findings);

// "CRITICAL: mel takes 71 % ...; ... : --num-workers 3": the line that people read.
std::string line_of(const Finding& finding);

// [{"id", "severity", "message", "remedy"}, ...]
nlohmann::ordered_json to_json(std::span<const Finding> findings);

}  // namespace xtts::rules
