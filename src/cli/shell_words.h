// Commands that a person can copy from the screen and run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/printable.h"
#include "cli/config_args.h"
#include "rules/suggestion.h"

namespace xtts::cli {

using base::shell_word;

// How the program was called, argv[0]. To be set once, before there are threads.
void set_program_name(std::string name);

// What to type to call it again: the path if it was called by one, else "myxtts".
std::string program_name();

// "myxtts corpus check 'my corpus'": the program and these words, each quoted if it has to be.
std::string command_line(const std::vector<std::string>& words);

// The configuration that was typed, to be typed again: --config, each --set, and the flags of these
// keys as --set KEY=VALUE. --language is always kept, as a flag unless its key is among them.
std::vector<std::string> config_words(const ConfigArgs& args,
                                      const std::vector<std::string_view>& flag_keys = {});

// For commands in remedies (rules/suggestion.h): the corpus and the configuration that were typed,
// all of it; and those of a run, which are in its folder.
rules::SuggestionFlags suggestion_flags(const ConfigArgs& args);
rules::SuggestionFlags suggestion_flags_of_run(const std::string& run);

}  // namespace xtts::cli
