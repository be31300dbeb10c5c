// Formats commands that can be copied and run in a shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/printable.h"
#include "cli/config_args.h"
#include "rules/suggestion.h"

namespace myxtts::cli {

using base::shell_word;

// Sets the name of the program, argv[0]. Call once, before threads start.
void set_program_name(std::string name);

// Returns how to call the program again: its path if it was called by one, else "myxtts".
std::string program_name();

// Returns the program with quoted arguments, e.g. "myxtts corpus check 'my corpus'".
std::string command_line(const std::vector<std::string>& arguments);

// Returns the configuration arguments of this call for another command: --config, each --set, and
// the flags of `flag_keys` as --set KEY=VALUE. --language is always kept, as a flag unless its key
// is listed.
std::vector<std::string> config_arguments(const ConfigArgs& args,
                                          const std::vector<std::string_view>& flag_keys = {});

// Return the corpus and configuration arguments for commands in suggestions (rules/suggestion.h):
// those of this call, and those of a run folder.
rules::SuggestionFlags suggestion_flags(const ConfigArgs& args);
rules::SuggestionFlags suggestion_flags_of_run(const std::string& run);

}  // namespace myxtts::cli
