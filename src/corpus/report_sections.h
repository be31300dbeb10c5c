// The parts that our pages about corpora share. Each returns markup; all text is escaped.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/report.h"
#include "corpus/statistics.h"

namespace xtts::corpus {

std::string figures_list(std::span<const Figure> figures);

// "1 h 12 min", "34 min", "52 s".
std::string spoken_time(double hours);

// Both histograms with their percentiles, and the table of lengths.
std::string lengths_section(const CorpusStats& stats);

// What limits at p95 and p99 leave out, with the flags to paste.
std::string limits_section(const CorpusStats& stats);

// Nothing for a corpus with one speaker.
std::string speakers_section(const CorpusStats& stats);

// One line per checked part, then what was found.
std::string check_section(std::span<const CheckedPart> checked);

// The problems by reason, each with its remedy; at most 50 of a reason, then "and N more". Nothing
// for no problems.
std::string problems_list(std::span<const Problem> problems, std::string_view heading);

}  // namespace xtts::corpus
