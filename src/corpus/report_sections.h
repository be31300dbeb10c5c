// Renders the sections that corpus reports share. Each function returns HTML with escaped text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/report.h"
#include "corpus/statistics.h"

namespace myxtts::corpus {

std::string figures_list(std::span<const Figure> figures);

// Returns "1 h 12 min", "34 min" or "52 s".
std::string format_duration(double hours);

// Histograms of text and mel length with percentiles, and a table.
std::string lengths_section(const CorpusStats& stats);

// The speech that limits at p95 and p99 filter, with their flags.
std::string limits_section(const CorpusStats& stats);

// The table of speakers, "" for a corpus with one speaker.
std::string speakers_section(const CorpusStats& stats);

// One line per split, then its problems and warnings.
std::string check_section(std::span<const SplitReport> checked);

// The problems grouped by reason with its suggestion, at most 50 per reason, then "and N more". ""
// if there are none.
std::string problems_list(std::span<const Problem> problems, std::string_view heading);

}  // namespace myxtts::corpus
