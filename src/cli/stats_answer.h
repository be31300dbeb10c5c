#pragma once

#include <cstdint>
#include <limits>

#include <nlohmann/json.hpp>

#include "corpus/reader.h"
#include "corpus/statistics.h"

namespace xtts::cli {

inline constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

// What `stats` has to say.
struct StatsAnswer {
  corpus::Corpus corpus;
  corpus::CorpusStats stats;
  // What the limits of the configuration would leave out; max_mel_frames is kNoLimit when unset.
  corpus::Recommendation configured;
  // Utterances that validate instead of train; 0 where the corpus brings a validation set.
  std::size_t held_back = 0;
};

// The contract with machines: fields may be added, none is renamed.
nlohmann::json to_json(const StatsAnswer& answer);

}  // namespace xtts::cli
