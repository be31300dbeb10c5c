#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "corpus/measure.h"
#include "corpus/utterance.h"

namespace myxtts::corpus {

// Selects the held-out validation utterances of a corpus without a validation split. The choice
// depends only on the id, so it does not change when other utterances are added or removed.
// `val_split` is the held-out share in [0, 1).
bool is_held_out(std::string_view id, double val_split);

std::size_t count_held_out(std::span<const Utterance> utterances, double val_split);

// Counts only usable utterances. `measured` has one entry per utterance.
std::size_t count_held_out(std::span<const Utterance> utterances,
                           std::span<const Measurement> measured,
                           double val_split);

}  // namespace myxtts::corpus
