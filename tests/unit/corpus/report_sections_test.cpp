#include "corpus/report_sections.h"

#include <gtest/gtest.h>

#include "corpus/reasons.h"
#include "support/has.h"

namespace myxtts::corpus {
namespace {

using support::has;

TEST(ReportSections, DurationsHaveReadableUnits) {
  EXPECT_EQ(format_duration(0.0), "0 s");
  EXPECT_EQ(format_duration(52.0 / 3600.0), "52 s");
  EXPECT_EQ(format_duration(0.72), "43 min");
  EXPECT_EQ(format_duration(24.0), "24 h 0 min");
  EXPECT_EQ(format_duration(2.55), "2 h 33 min");
}

TEST(ReportSections, FiguresHaveTheirTone) {
  const std::vector<Figure> figures = {{"bad", "3", "warn"}};

  EXPECT_TRUE(has(figures_list(figures), "<dt>bad</dt><dd class=\"warn\">3</dd>"));
}

TEST(ReportSections, ProblemsAreGroupedAndTruncated) {
  std::vector<Problem> problems(60, make_problem("u", "missing", "not there"));
  problems.push_back(make_problem("v", "truncated", "half of it"));

  const std::string html = problems_list(problems, "Bad");

  EXPECT_TRUE(has(html, "<code>missing</code> (60)"));
  EXPECT_TRUE(has(html, "and 10 more"));
  EXPECT_TRUE(has(html, "<code>truncated</code> (1)"));
  EXPECT_EQ(problems_list({}, "Bad"), "");
}

TEST(ReportSections, OneSpeakerHasNoTable) {
  CorpusStats stats;
  stats.speakers = {{"a", 1, 1.0}};
  EXPECT_EQ(speakers_section(stats), "");

  stats.speakers.push_back({"", 2, 2.0});
  EXPECT_TRUE(has(speakers_section(stats), "(no name)"));
}

TEST(ReportSections, CheckSectionCountsBadUtterances) {
  const std::vector<SplitReport> clean = {{Split::kTrain, {540, {}, {}}}};
  EXPECT_TRUE(
      has(check_section(clean), "train: 540 utterances, <strong class=\"good\">none unusable"));

  const std::vector<SplitReport> bad = {
      {Split::kValidation, {60, {make_problem("u", "missing", "not there")}, {}}}};
  EXPECT_TRUE(has(check_section(bad), "val: 60 utterances, <strong class=\"warn\">1 unusable"));
}

}  // namespace
}  // namespace myxtts::corpus
