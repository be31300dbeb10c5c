#include "rules/suggestion.h"

#include <fmt/format.h>

namespace xtts::rules {
namespace {

constexpr std::string_view kProgram = "myxtts ";
constexpr std::string_view kCheck = "corpus check";
constexpr std::string_view kTaskset = "taskset ";

std::string after_a_space(const std::string& words) {
  return words.empty() ? "" : " " + words;
}

// `verbs` is what stands behind the program's name. `corpus check` takes the folder as a word of
// its own, all others with a flag.
std::string completed(std::string_view verbs, const SuggestionFlags& words) {
  if (verbs.starts_with(kCheck)) {
    return fmt::format("{}{}{}{}",
                       kCheck,
                       after_a_space(words.corpus),
                       verbs.substr(kCheck.size()),
                       after_a_space(words.config));
  }
  return fmt::format("{}{}{}",
                     verbs,
                     words.corpus.empty() ? "" : " --train-data " + words.corpus,
                     after_a_space(words.config));
}

}  // namespace

void complete_suggestions(Findings& findings, const SuggestionFlags& words) {
  for (Finding& finding : findings) {
    const std::string_view suggestion = finding.suggestion;
    const std::size_t name = suggestion.starts_with(kTaskset) ? suggestion.find(kProgram) : 0;
    if (name == std::string_view::npos || !suggestion.substr(name).starts_with(kProgram)) continue;
    finding.suggestion = fmt::format("{}{} {}",
                                     suggestion.substr(0, name),
                                     words.program,
                                     completed(suggestion.substr(name + kProgram.size()), words));
  }
}

bool is_typed(std::string_view suggestion) {
  return suggestion.starts_with("--") || suggestion.find("myxtts ") != std::string_view::npos;
}

}  // namespace xtts::rules
