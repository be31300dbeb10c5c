// Formats the result of `myxtts stats` as JSON.
#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "cli/stats_shapes.h"
#include "corpus/reader.h"
#include "corpus/statistics.h"

namespace myxtts::cli {

// Result of `myxtts stats`.
struct StatsOutput {
  corpus::Corpus corpus;
  corpus::CorpusStats stats;
  // Effect of the configured length limits. An unset limit is data::kNoLimit.
  corpus::LengthLimits configured;
  // Utterances held out for validation; 0 if the corpus has a validation set.
  std::size_t held_out = 0;
  std::optional<StatsShapes> shapes = {};
};

// Returns the limits that are set as flags, e.g. "--max-text-length 120", or "no limits".
std::string format_set_limits(const corpus::LengthLimits& limits);

// The fields are a public contract: fields may be added, none is renamed or removed.
nlohmann::json to_json(const StatsOutput& output);

}  // namespace myxtts::cli
