#include "config/write_yaml.h"

#include <algorithm>

#include <fmt/format.h>

#include "config/field.h"
#include "config/value.h"

namespace xtts::config {
namespace {

constexpr std::size_t kCommentColumn = 38;

constexpr const char* kHeading =
    "# A configuration of myxtts. A key that is left out has its default; precedence is\n"
    "# flag > --set section.key=value > this file > default. See docs/reference/config.md.\n";

const char* heading_of(const std::string& section) {
  if (section == "data")
    return "# The corpus, its text and audio, and how batches are made of it.\n";
  if (section == "model") return "# The mel contract and the sizes of the model.\n";
  return "# The optimiser, the schedule, the losses and the run folder.\n";
}

std::string comment_of(const Field& field, const Resolved& resolved) {
  std::string comment = field.help;
  const std::vector<std::string> choices = field.choices();
  if (!choices.empty()) comment += fmt::format(" ({})", field.meta.choices);
  const auto origin = resolved.origins.find(field.key());
  if (origin != resolved.origins.end()) comment += fmt::format(" [from {}]", origin->second);
  // An origin holds a file name, and a file name may hold a line break.
  std::ranges::replace_if(
      comment, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  return comment;
}

}  // namespace

std::string write_yaml(const Resolved& resolved, Keys keys) {
  Config config = resolved.config;
  Config defaults;
  const std::vector<Field> fields = fields_of(config);
  const std::vector<Field> default_fields = fields_of(defaults);

  std::string text = kHeading;
  std::string section;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Field& field = fields[i];
    const std::string value = to_yaml(field);
    if (keys == Keys::kChanged && value == to_yaml(default_fields[i])) continue;
    if (field.section != section) {
      section = field.section;
      text += fmt::format("\n{}{}:\n", heading_of(section), section);
    }
    const std::string entry = fmt::format("  {}: {}", field.name, value);
    text += fmt::format("{:<{}}  # {}\n", entry, kCommentColumn, comment_of(field, resolved));
  }
  return text;
}

std::string write_yaml(const Config& config) {
  return write_yaml(Resolved{.config = config, .origins = {}, .warnings = {}});
}

std::vector<Difference> differences(const Config& left, const Config& right) {
  Config left_copy = left;
  Config right_copy = right;
  const std::vector<Field> left_fields = fields_of(left_copy);
  const std::vector<Field> right_fields = fields_of(right_copy);

  std::vector<Difference> found;
  for (std::size_t i = 0; i < left_fields.size(); ++i) {
    Difference pair{left_fields[i].key(), to_yaml(left_fields[i]), to_yaml(right_fields[i])};
    if (pair.left != pair.right) found.push_back(std::move(pair));
  }
  return found;
}

}  // namespace xtts::config
