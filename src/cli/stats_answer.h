#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "cli/stats_shapes.h"
#include "corpus/reader.h"
#include "corpus/statistics.h"

namespace xtts::cli {

// What `stats` has to say.
struct StatsAnswer {
  corpus::Corpus corpus;
  corpus::CorpusStats stats;
  // What the limits of the configuration would leave out; one that is not set is
  // pipeline::kNoLimit.
  corpus::Recommendation configured;
  // Utterances that validate instead of train; 0 where the corpus brings a validation set.
  std::size_t held_back = 0;
  std::optional<StatsShapes> shapes = {};
};

// "--max-text-length 120", the limits that are set; "no limits" for none.
std::string flags_of_set_limits(const corpus::Recommendation& limits);

// The contract with machines: fields may be added, none is renamed.
nlohmann::json to_json(const StatsAnswer& answer);

}  // namespace xtts::cli
