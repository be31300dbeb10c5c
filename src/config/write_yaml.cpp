#include "config/write_yaml.h"

#include <algorithm>

#include <fmt/format.h>

#include "config/field.h"
#include "config/presets.h"
#include "config/value.h"

namespace myxtts::config {
namespace {

constexpr std::size_t kCommentColumn = 38;

constexpr const char* kHeading =
    "# Configuration of myxtts. Missing keys have their defaults. Precedence:\n"
    "# flag > --set section.key=value > this file > preset > default. All keys:\n"
    "# docs/reference/config.md\n";

const char* heading_of(const std::string& section) {
  if (section == "data") return "# Corpus, text, audio and batches.\n";
  if (section == "model") return "# Mel settings and model sizes.\n";
  return "# Optimiser, schedule, losses and run folder.\n";
}

// Formats the presets of one key as a comment above a section.
std::string comment_of(const PresetTable& table) {
  std::size_t width = 8;
  for (const std::string name : table.names)
    width = std::max(width, name.size() + 2);
  std::string text = fmt::format(
      "# Presets of {}, for keys without a value (remove a key below to use them):\n", table.key);
  const auto append_row = [&](const std::string& name, const auto& values) {
    text += fmt::format("#   {:<24}", name);
    for (const char* value : values)
      text += fmt::format("{:>{}}", value, width);
    text += '\n';
  };
  append_row("", table.names);
  for (const PresetTable::Row& row : table.rows) {
    const std::string key = row.key;
    append_row(key.substr(key.find('.') + 1), row.values);
  }
  return text;
}

std::string preset_comments(const std::string& section) {
  std::string text;
  for (const PresetTable& table : preset_tables()) {
    if (std::string(table.key).starts_with(section + ".")) text += comment_of(table);
  }
  return text;
}

std::string comment_of(const Field& field, const Resolved& resolved) {
  std::string comment = field.help;
  const std::vector<std::string> choices = field.choices();
  if (!choices.empty()) comment += fmt::format(" ({})", field.meta.choices);
  const auto origin = resolved.origins.find(field.key());
  if (origin != resolved.origins.end()) comment += fmt::format(" [from {}]", origin->second);
  // An origin contains a file name, which may contain a line break.
  std::ranges::replace_if(
      comment, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  return comment;
}

}  // namespace

std::vector<std::string> changed_keys(const Config& config) {
  const std::vector<Difference> from_defaults = differences(Config{}, config);
  const std::vector<Difference> from_presets = differences(preset_defaults_of(config), config);
  const auto is_in = [](const std::vector<Difference>& found, const std::string& key) {
    return std::ranges::any_of(found, [&](const Difference& one) { return one.key == key; });
  };
  Config copy = config;
  std::vector<std::string> keys;
  for (const Field& field : fields_of(copy)) {
    const std::string key = field.key();
    if (is_in(from_defaults, key) || is_in(from_presets, key)) keys.push_back(key);
  }
  return keys;
}

std::string write_yaml(const Resolved& resolved, Keys keys) {
  const std::vector<std::string> changed = changed_keys(resolved.config);
  Config config = resolved.config;
  std::string text = kHeading;
  std::string section;
  for (const Field& field : fields_of(config)) {
    const bool is_changed = std::ranges::find(changed, field.key()) != changed.end();
    if (keys == Keys::kChanged && !is_changed) continue;
    if (field.section != section) {
      section = field.section;
      text += fmt::format("\n{}", heading_of(section));
      if (keys == Keys::kAll) text += preset_comments(section);
      text += section + ":\n";
    }
    const std::string entry = fmt::format("  {}: {}", field.name, to_yaml(field));
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

}  // namespace myxtts::config
