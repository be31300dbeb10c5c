#include "verdict/remedy.h"

#include <fmt/format.h>

namespace xtts::verdict {
namespace {

constexpr std::string_view kProgram = "myxtts ";
constexpr std::string_view kCheck = "corpus check";
constexpr std::string_view kTaskset = "taskset ";

std::string after_a_space(const std::string& words) {
  return words.empty() ? "" : " " + words;
}

// `verbs` is what stands behind the program's name. `corpus check` takes the folder as a word of
// its own, all others with a flag.
std::string completed(std::string_view verbs, const RemedyWords& words) {
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

void complete_remedies(Findings& findings, const RemedyWords& words) {
  for (Finding& finding : findings) {
    const std::string_view remedy = finding.remedy;
    const std::size_t name = remedy.starts_with(kTaskset) ? remedy.find(kProgram) : 0;
    if (name == std::string_view::npos || !remedy.substr(name).starts_with(kProgram)) continue;
    finding.remedy = fmt::format("{}{} {}",
                                 remedy.substr(0, name),
                                 words.program,
                                 completed(remedy.substr(name + kProgram.size()), words));
  }
}

bool is_typed(std::string_view remedy) {
  return remedy.starts_with("--") || remedy.find("myxtts ") != std::string_view::npos;
}

}  // namespace xtts::verdict
