// Renders HTML reports about a corpus, each a self-contained file (base/html_page.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/check.h"
#include "corpus/reader.h"
#include "corpus/report_examples.h"
#include "corpus/statistics.h"

namespace myxtts::corpus {

// Returns a page with lengths, histograms, recommended limits, `extra_html` and speakers. The
// corpus may be empty.
std::string statistics_page(const CorpusStats& stats,
                            const std::string& title,
                            const std::string& extra_html = "");

struct SplitReport {
  Split split = Split::kTrain;
  CheckReport report;
};

// A key figure at the top of a page.
struct Figure {
  std::string label;
  std::string value;
  std::string_view tone;  // "", "good" or "warn"
};

// The results of `myxtts demo`.
struct DemoReport {
  std::string title;
  std::string corpus_dir;  // as typed on the command line
  Layout layout = Layout::kLjspeech;
  CorpusStats stats;  // of the training split
  std::vector<SplitReport> checked;
  std::vector<Example> examples;
  std::vector<Figure> voice_figures;       // key figures of the trained voice, if any
  std::string voice_sections;              // HTML about the voice, above the corpus sections
  std::vector<std::string> next_commands;  // suggested commands, the best one first
};

std::string demo_page(const DemoReport& report);

}  // namespace myxtts::corpus
