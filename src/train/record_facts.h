// What a record of measurements (rules/record.h) says of a run before there is one.
#pragma once

#include <cstdint>
#include <span>

#include "config/config.h"
#include "pipeline/lanes.h"
#include "pipeline/signature.h"
#include "rules/record.h"

namespace xtts::train {

// The settings of a record as far as they are known before a run over `num_utterances`: lanes are
// chosen, "auto" is otherwise still what it is. How long the run will be is absent where minutes
// end it.
rules::Settings record_settings(const config::Config& config,
                                const pipeline::LanePlan& lanes,
                                std::int64_t num_utterances);

// Lengths of a corpus, by their percentiles; absent ones where there are none.
rules::Corpus record_lengths(std::span<const pipeline::Lengths> all);

}  // namespace xtts::train
