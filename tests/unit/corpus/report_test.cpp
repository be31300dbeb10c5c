#include "corpus/report.h"

#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "corpus/reasons.h"
#include "support/has.h"

namespace myxtts::corpus {
namespace {

using support::has;

constexpr const char* kHostile = "<script>alert('1')</script>\"><img src=x onerror=alert(1)>";

Corpus corpus_of_speaker(std::size_t count, const std::string& speaker) {
  Corpus corpus;
  for (std::size_t i = 0; i < count; ++i) {
    corpus.utterances.push_back({fmt::format("u{}", i), "a.wav", "text", speaker, 1});
  }
  return corpus;
}

CorpusStats stats_of(std::size_t count, const std::string& speaker = "") {
  std::vector<Measurement> measured(count);
  for (std::size_t i = 0; i < count; ++i) {
    measured[i].text_length = 10 + static_cast<std::int64_t>(i);
    measured[i].mel_length = 100 + 5 * static_cast<std::int64_t>(i);
    measured[i].seconds = 2.0;
  }
  return make_stats(corpus_of_speaker(count, speaker), measured);
}

DemoReport hostile_report() {
  DemoReport report;
  report.title = kHostile;
  report.corpus_dir = kHostile;
  report.stats = stats_of(20, kHostile);
  report.stats.speakers.push_back({kHostile, 1, 0.1});
  report.stats.skipped.push_back(make_problem(kHostile, "missing", kHostile));
  report.checked.push_back({Split::kTrain, {20, report.stats.skipped, report.stats.skipped}});
  report.examples.push_back({kHostile, kHostile, kHostile, kHostile, 1.0, 87, "png", "wav", "wav"});
  report.next_commands = {kHostile};
  return report;
}

TEST(Report, ShowsNumbersAndFlags) {
  const CorpusStats stats = stats_of(100);

  const std::string page = statistics_page(stats, "Statistics");

  EXPECT_TRUE(has(page, "<dd class=\"\">100</dd>"));
  EXPECT_TRUE(has(page, flags_of(stats.recommendations[0])));
  EXPECT_TRUE(has(page, flags_of(stats.recommendations[1])));
  EXPECT_TRUE(has(page, "aria-label=\"Histogram of text length: median 59"));
  EXPECT_TRUE(has(page, "aria-label=\"Histogram of mel length"));
}

TEST(Report, UntrustedTextIsEscaped) {
  const DemoReport report = hostile_report();
  for (const std::string& page : {demo_page(report), statistics_page(report.stats, kHostile)}) {
    EXPECT_FALSE(has(page, "<script"));
    EXPECT_FALSE(has(page, "<img src=x"));
    EXPECT_TRUE(has(page, "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"));
  }
}

TEST(Report, PageHasNoExternalReferences) {
  const std::string page = demo_page(hostile_report());

  for (const std::string_view reference :
       {"http:", "https:", "src=\"/", "url(", "@import", "//www"}) {
    EXPECT_FALSE(has(page, reference)) << reference;
  }
  for (std::size_t at = page.find(" src=\""); at != page.npos; at = page.find(" src=\"", at + 1)) {
    EXPECT_EQ(page.compare(at + 6, 5, "data:"), 0);
  }
}

TEST(Report, PicturesAndPlayersHaveLabels) {
  const std::string page = demo_page(hostile_report());

  const auto every = [&](std::string_view tag, std::string_view attribute) {
    for (std::size_t at = page.find(tag); at != page.npos; at = page.find(tag, at + 1)) {
      const std::string element = page.substr(at, page.find('>', at) - at);
      EXPECT_TRUE(has(element, attribute)) << element.substr(0, 200);
    }
  };
  EXPECT_TRUE(has(page, "<audio "));
  every("<audio ", "aria-label=");
  every("<img ", "alt=");
  every("<svg ", "aria-label=");
  EXPECT_TRUE(has(page, "<html lang=\"en\">"));
}

TEST(Report, EmptyCorpusGivesAPage) {
  const std::string page = statistics_page(make_stats({}, {}), "Empty");

  EXPECT_TRUE(has(page, "</html>"));
  EXPECT_FALSE(has(page, "nan"));
}

TEST(Report, PageIsDeterministic) {
  EXPECT_EQ(demo_page(hostile_report()), demo_page(hostile_report()));
}

}  // namespace
}  // namespace myxtts::corpus
