#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace myxtts::rules {

// Defines the findings of a diagnosis: severity, message and suggestion.
enum class Severity {
  kCritical,  // most of the time is lost, or the run is in danger
  kWarning,   // costs time or quality that the suggestion would recover
  kNote,      // for information; the run is healthy
};

std::string_view name_of(Severity severity);  // "critical", "warning", "note"

// One result of a rule. The id is stable: scripts and docs/en/diagnose.md refer to it.
struct Finding {
  std::string id;  // "one_worker"
  Severity severity = Severity::kWarning;
  std::string message;  // one sentence with the measured numbers
  // Flags or a command to paste, else a sentence. complete_suggestions() (suggestion.h) adds corpus
  // and configuration to commands.
  std::string suggestion;

  bool operator==(const Finding&) const = default;
};

using Findings = std::vector<Finding>;

// Returns false if a finding is a warning or worse.
bool is_healthy(std::span<const Finding> findings);

// Formats a finding for people: "CRITICAL: mel takes 71 % ...; ... : --num-workers 3".
std::string format_finding(const Finding& finding);

// Returns [{"id", "severity", "message", "remedy"}, ...].
nlohmann::ordered_json to_json(std::span<const Finding> findings);

}  // namespace myxtts::rules
