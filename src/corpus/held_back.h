#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "corpus/measure.h"
#include "corpus/utterance.h"

namespace xtts::corpus {

// Whether an utterance validates instead of trains, in a corpus that brings no validation set. It
// depends on its id alone: adding or removing others moves nobody from one side to the other.
// `val_split` in [0, 1).
bool is_held_back(std::string_view id, double val_split);

std::size_t count_held_back(std::span<const Utterance> utterances, double val_split);

// Of those that can be used; `measured` has one entry per utterance.
std::size_t count_held_back(std::span<const Utterance> utterances,
                            std::span<const Measured> measured,
                            double val_split);

}  // namespace xtts::corpus
