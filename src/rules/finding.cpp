#include "rules/finding.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace myxtts::rules {

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::kCritical:
      return "critical";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "note";
}

bool is_healthy(std::span<const Finding> findings) {
  return std::ranges::all_of(
      findings, [](const Finding& finding) { return finding.severity == Severity::kNote; });
}

std::string format_finding(const Finding& finding) {
  std::string severity(name_of(finding.severity));
  std::ranges::transform(severity, severity.begin(), [](char letter) {
    return static_cast<char>(letter - 'a' + 'A');
  });
  return finding.suggestion.empty()
             ? fmt::format("{}: {}", severity, finding.message)
             : fmt::format("{}: {}: {}", severity, finding.message, finding.suggestion);
}

nlohmann::ordered_json to_json(std::span<const Finding> findings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"id", finding.id},
                    {"severity", name_of(finding.severity)},
                    {"message", finding.message},
                    {"remedy", finding.suggestion}});
  }
  return list;
}

}  // namespace myxtts::rules
