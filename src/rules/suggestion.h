#pragma once

#include <string>
#include <string_view>

#include "rules/finding.h"

namespace xtts::rules {

// What commands in remedies need to run as they stand. Words as a shell reads them, quoted where
// they have to be.
struct SuggestionFlags {
  std::string program = "myxtts";
  std::string corpus = {};  // its folder; empty: the configuration names it
  std::string config = {};  // --config, --set and flags as they were typed; empty: none
};

// Rules know no folder and no configuration: a remedy that is a command ("myxtts corpus check",
// "taskset -c 0-3 myxtts train") gets them here. Flags and sentences stay as they are.
void complete_suggestions(Findings& findings, const SuggestionFlags& words);

// Flags or a command; false: a sentence.
bool is_typed(std::string_view suggestion);

}  // namespace xtts::rules
