// The reasons why an utterance is bad or suspicious, each with a suggestion.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/printable.h"
#include "corpus/utterance.h"

namespace myxtts::corpus {

// A kind of problem of an utterance, with its suggestion for the user. `reason` is part of the JSON
// output and never changes.
struct Reason {
  std::string_view reason;
  std::string_view suggestion;
};

// Returns the complete list of reasons, in the order of report groups.
const std::vector<Reason>& all_reasons();

// Returns a problem with the suggestion of its reason, which must be in all_reasons().
Problem make_problem(std::string id, std::string_view reason, std::string detail, int line = 0);

// Escapes untrusted names and texts for messages.
using base::printable;

}  // namespace myxtts::corpus
