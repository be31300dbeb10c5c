// Fills the parts of a diagnosis record (rules/record.h) that are known before a run.
#pragma once

#include <cstdint>
#include <span>

#include "config/config.h"
#include "data/lanes.h"
#include "data/signature.h"
#include "rules/record.h"

namespace myxtts::train {

// Returns the settings of a run over `num_utterances` as far as they are known before it: lanes are
// chosen, other "auto" values are unresolved. The planned length is absent for a run limited by
// minutes.
rules::Settings record_settings(const config::Config& config,
                                const data::LanePlan& lanes,
                                std::int64_t num_utterances);

// Returns the percentiles of the corpus lengths; absent for an empty corpus.
rules::CorpusStats record_lengths(std::span<const data::Lengths> all);

}  // namespace myxtts::train
