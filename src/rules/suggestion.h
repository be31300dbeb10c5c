#pragma once

#include <string>
#include <string_view>

#include "rules/finding.h"

namespace myxtts::rules {

// Completes the commands in suggestions with program path, corpus and configuration.
//
// All values are shell words, quoted where necessary.
struct SuggestionFlags {
  std::string program = "myxtts";
  std::string corpus = {};  // corpus folder; empty: the configuration names it
  std::string config = {};  // --config, --set and flags as typed; empty: none
};

// Adds `flags` to each suggestion that is a command ("myxtts corpus check", "taskset -c 0-3 myxtts
// train"). Suggestions that are flags or sentences stay unchanged.
void complete_suggestions(Findings& findings, const SuggestionFlags& flags);

// Returns true for flags or a command, false for a sentence.
bool is_command(std::string_view suggestion);

}  // namespace myxtts::rules
