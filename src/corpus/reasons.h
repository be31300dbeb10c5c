#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/utterance.h"

namespace xtts::corpus {

// The closed list of what can be wrong with an utterance: `reason` is what machines read and never
// changes its spelling, `remedy` is what a person reads.
struct Reason {
  std::string_view reason;
  std::string_view remedy;
};

// In the order in which reports group them.
const std::vector<Reason>& all_reasons();

// A problem with the remedy that belongs to its reason; `reason` must be in the list.
Problem make_problem(std::string id, std::string_view reason, std::string detail, int line = 0);

// The bytes as text that is safe to print and to put into JSON: what is not UTF-8 and control
// characters become \xNN, and everything after `max_bytes` becomes "...".
std::string printable(std::string_view bytes, std::size_t max_bytes = 80);

}  // namespace xtts::corpus
