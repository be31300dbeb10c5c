#include "config/reference_page.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "config/compatibility.h"
#include "config/field.h"
#include "config/presets.h"
#include "config/value.h"

namespace xtts::config {
namespace {

constexpr const char* kIntroduction = R"(# Configuration

Every key of a configuration file, in its section. Written by `myxtts config show --reference`.

- Precedence: flag, then `--set section.key=value`, then the file of `--config`, then the
  named set (see below), then the default.
- `myxtts config show` prints the resolved configuration, `myxtts config diff A.yaml [B.yaml]` what
  differs. An unknown key is an error that names the nearest known one.
- A file has at most 1 MiB, 64 levels, one document, and no anchors, aliases, tags or duplicate keys.
- `train-vocoder` reads what `train` reads, but for what is about texts, voices and shapes.
- A verb has the flags of the keys it reads (see its `--help`); `--set` reaches every key of every verb.
- "original" is the default of the original system where it has the key and differs; "-" means the
  same default, "new" that the original has no such key.
)";

// A bar would end the cell of a table.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '\\');
  }
  return text;
}

std::string code(const std::string& text) {
  return fmt::format("`{}`", cell(text));
}

// Our spelling of the original's Python value, so that equal defaults can be seen to be equal.
bool same_default(const Field& field) {
  std::string original = field.meta.original;
  std::ranges::replace(original, '\'', '"');
  if (original == "True" || original == "False") original[0] = original[0] == 'T' ? 't' : 'f';
  if (original == "None") original = field.meta.unset;
  const std::string ours = to_yaml(field);
  if (ours == original || fmt::format("\"{}\"", ours) == original) return true;
  if (fmt::format("[\"{}\"]", ours.substr(1, ours.size() - 2)) == original) return true;
  return !original.empty() && std::isdigit(static_cast<unsigned char>(original[0])) != 0 &&
         std::isdigit(static_cast<unsigned char>(ours[0])) != 0 &&
         std::stod(original) == std::stod(ours);
}

std::string original_cell(const Field& field) {
  if (field.meta.original == nullptr) return "new";
  return same_default(field) ? "-" : code(field.meta.original);
}

std::string flag_cell(const Field& field) {
  std::string flags = field.flags();
  if (field.is_switch()) flags.append(",").append(field.off_flags());
  std::string spaced;
  for (const char c : flags)
    spaced += c == ',' ? std::string("`, `") : std::string(1, c);
  return fmt::format("`{}`", spaced);
}

std::string meaning_cell(const Field& field) {
  std::string meaning = field.help;
  if (field.meta.choices != nullptr) meaning += fmt::format(" ({})", field.meta.choices);
  if (!field.meta.range.is_everything()) {
    meaning += fmt::format(" ({})", field.meta.range.describe());
  }
  return cell(meaning);
}

std::string field_table(const std::string& section, const std::vector<Field>& fields) {
  std::string table = fmt::format(
      "\n## {}\n\n| key | type | default | original | flag | meaning | read by |\n"
      "|---|---|---|---|---|---|---|\n",
      section);
  for (const Field& field : fields) {
    if (field.section != section) continue;
    table += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n",
                         code(field.name),
                         field.type(),
                         code(to_yaml(field)),
                         original_cell(field),
                         flag_cell(field),
                         meaning_cell(field),
                         describe(field.meta.read_by));
  }
  return table;
}

std::string preset_table(const PresetTable& sets) {
  std::string table = fmt::format("\n## Sets of {}\n\n", code(sets.key));
  table +=
      "Values of the keys that nobody gave. A key given by itself, anywhere, stays as given.\n";
  std::string heading = "\n| key |";
  std::string rule = "\n|---|";
  for (const char* name : sets.names) {
    heading += fmt::format(" {} |", code(name));
    rule += "---|";
  }
  table += heading + rule + "\n";
  for (const PresetTable::Row& row : sets.rows) {
    table += fmt::format("| {} |", code(row.key));
    for (const char* value : row.values)
      table += fmt::format(" {} |", value);
    table += '\n';
  }
  return table;
}

std::string alias_table() {
  std::string table =
      "\n## Other names\n\nAccepted for the key beside them. Given both in one file, or both with "
      "`--set`, they must agree.\n\n| name | is |\n|---|---|\n";
  for (const Alias& alias : aliases()) {
    table += fmt::format("| {} | {} |\n", code(alias.key), code(alias.target));
  }
  return table;
}

std::string ignored_table() {
  std::string table =
      "\n## Names without effect\n\nKeys of the original that are accepted with any value. Each "
      "gives a warning with its reason.\n\n| key | why it has no effect here |\n|---|---|\n";
  for (const IgnoredKey& ignored : ignored_keys()) {
    table += fmt::format("| {} | {} |\n", code(ignored.key), cell(ignored.reason));
  }
  return table;
}

}  // namespace

std::string reference_page() {
  Config defaults;
  const std::vector<Field> fields = fields_of(defaults);
  std::string page = kIntroduction;
  for (const char* section : {"data", "model", "training"})
    page += field_table(section, fields);
  for (const PresetTable& sets : preset_tables())
    page += preset_table(sets);
  return page + alias_table() + ignored_table();
}

}  // namespace xtts::config
