// Pages that show a corpus to a person: one self-contained HTML file each (base/html_page.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/check.h"
#include "corpus/reader.h"
#include "corpus/report_examples.h"
#include "corpus/statistics.h"

namespace xtts::corpus {

// Lengths, histograms, speakers and recommended limits, then `more`, which is markup. `stats` may
// be of an empty corpus.
std::string statistics_page(const CorpusStats& stats,
                            const std::string& title,
                            const std::string& more = "");

struct CheckedPart {
  Split split = Split::kTrain;
  CheckReport report;
};

// A number at the top of a page.
struct Figure {
  std::string label;
  std::string value;
  std::string_view tone;  // "", "good" or "warn"
};

// What `myxtts demo` found.
struct DemoReport {
  std::string title;
  std::string corpus_dir;  // as the person would type it
  Layout layout = Layout::kLjspeech;
  CorpusStats stats;  // of the training split
  std::vector<CheckedPart> checked;
  std::vector<Example> examples;
  std::vector<Figure> voice_figures;       // about the voice that was trained, if one was
  std::string voice_sections;              // markup about it, above all that is about the corpus
  std::vector<std::string> next_commands;  // the first one is the one to try
};

std::string demo_page(const DemoReport& report);

}  // namespace xtts::corpus
