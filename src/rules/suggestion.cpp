#include "rules/suggestion.h"

#include <fmt/format.h>

namespace myxtts::rules {
namespace {

constexpr std::string_view kProgram = "myxtts ";
constexpr std::string_view kCheck = "corpus check";
constexpr std::string_view kTaskset = "taskset ";

std::string with_leading_space(const std::string& text) {
  return text.empty() ? "" : " " + text;
}

// `command` follows the program's name. `corpus check` takes the corpus folder as a positional
// argument, all other commands take --train-data.
std::string with_flags(std::string_view command, const SuggestionFlags& flags) {
  if (command.starts_with(kCheck)) {
    return fmt::format("{}{}{}{}",
                       kCheck,
                       with_leading_space(flags.corpus),
                       command.substr(kCheck.size()),
                       with_leading_space(flags.config));
  }
  return fmt::format("{}{}{}",
                     command,
                     flags.corpus.empty() ? "" : " --train-data " + flags.corpus,
                     with_leading_space(flags.config));
}

}  // namespace

void complete_suggestions(Findings& findings, const SuggestionFlags& flags) {
  for (Finding& finding : findings) {
    const std::string_view suggestion = finding.suggestion;
    const std::size_t name = suggestion.starts_with(kTaskset) ? suggestion.find(kProgram) : 0;
    if (name == std::string_view::npos || !suggestion.substr(name).starts_with(kProgram)) continue;
    finding.suggestion = fmt::format("{}{} {}",
                                     suggestion.substr(0, name),
                                     flags.program,
                                     with_flags(suggestion.substr(name + kProgram.size()), flags));
  }
}

bool is_command(std::string_view suggestion) {
  return suggestion.starts_with("--") || suggestion.find("myxtts ") != std::string_view::npos;
}

}  // namespace myxtts::rules
