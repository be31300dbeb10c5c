#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/printable.h"
#include "corpus/utterance.h"

namespace xtts::corpus {

// The closed list of what can be wrong with an utterance: `reason` is what machines read and never
// changes its spelling, `remedy` is what a person reads.
struct Reason {
  std::string_view reason;
  std::string_view suggestion;
};

// In the order in which reports group them.
const std::vector<Reason>& all_reasons();

// A problem with the remedy that belongs to its reason; `reason` must be in the list.
Problem make_problem(std::string id, std::string_view reason, std::string detail, int line = 0);

// How names and texts that come from outside are shown.
using base::printable;

}  // namespace xtts::corpus
