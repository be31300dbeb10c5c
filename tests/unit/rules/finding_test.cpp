#include "rules/finding.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace myxtts::rules {
namespace {

Finding finding_of(Severity severity) {
  return {
      .id = "one_worker", .severity = severity, .message = "it is alone", .suggestion = "--x 2"};
}

TEST(Finding, FormatsAsOneLine) {
  EXPECT_EQ(format_finding(finding_of(Severity::kCritical)), "CRITICAL: it is alone: --x 2");
  EXPECT_EQ(format_finding(
                {.id = "a", .severity = Severity::kNote, .message = "so it is", .suggestion = ""}),
            "NOTE: so it is");
}

TEST(Finding, ConvertsToJson) {
  const Findings findings = {finding_of(Severity::kWarning)};

  EXPECT_EQ(
      to_json(findings).dump(),
      R"([{"id":"one_worker","severity":"warning","message":"it is alone","remedy":"--x 2"}])");
}

TEST(Findings, AreHealthyIfAllAreNotes) {
  EXPECT_TRUE(is_healthy(Findings{}));
  EXPECT_TRUE(is_healthy(Findings{finding_of(Severity::kNote)}));
  EXPECT_FALSE(is_healthy(Findings{finding_of(Severity::kNote), finding_of(Severity::kWarning)}));
  EXPECT_FALSE(is_healthy(Findings{finding_of(Severity::kCritical)}));
}

}  // namespace
}  // namespace myxtts::rules
