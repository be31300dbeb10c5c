#include "config/reference_page.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "config/compatibility.h"
#include "config/field.h"
#include "config/presets.h"
#include "config/value.h"

namespace myxtts::config {
namespace {

constexpr const char* kIntroduction = R"(# Configuration

Every key of a configuration file, in its section. Written by `myxtts config show --reference`.

- Precedence: flag, then `--set section.key=value`, then the file of `--config`, then the preset
  (see below), then the default.
- `myxtts config show` prints the resolved configuration, `myxtts config diff A.yaml [B.yaml]` the
  differences. An unknown key is an error that suggests the nearest known one.
- A file has at most 1 MiB, 64 levels, one document, and no anchors, aliases, tags or duplicate keys.
- `train-vocoder` reads the keys of `train` except those of texts, speakers and shapes.
- A command has the flags of the keys it reads (see its `--help`); `--set` sets any key.
- "original" is the default of the original system where it differs; "-" means the same default,
  "new" a key that the original does not have.
)";

// Escapes bars, which would end a table cell.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '\\');
  }
  return text;
}

std::string code(const std::string& text) {
  return fmt::format("`{}`", cell(text));
}

// Compares our default with the original's, which is a Python literal.
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

std::string description_cell(const Field& field) {
  std::string text = field.help;
  if (field.meta.choices != nullptr) text += fmt::format(" ({})", field.meta.choices);
  if (!field.meta.range.is_unbounded()) {
    text += fmt::format(" ({})", field.meta.range.format());
  }
  return cell(text);
}

std::string field_table(const std::string& section, const std::vector<Field>& fields) {
  std::string table = fmt::format(
      "\n## {}\n\n| key | type | default | original | flag | description | read by |\n"
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
                         description_cell(field),
                         commands_of(field.meta.read_by));
  }
  return table;
}

std::string preset_table(const PresetTable& presets) {
  std::string table = fmt::format("\n## Presets of {}\n\n", code(presets.key));
  table += "A preset applies to keys without an explicit value (flag, `--set` or file).\n";
  std::string heading = "\n| key |";
  std::string rule = "\n|---|";
  for (const char* name : presets.names) {
    heading += fmt::format(" {} |", code(name));
    rule += "---|";
  }
  table += heading + rule + "\n";
  for (const PresetTable::Row& row : presets.rows) {
    table += fmt::format("| {} |", code(row.key));
    for (const char* value : row.values)
      table += fmt::format(" {} |", value);
    table += '\n';
  }
  return table;
}

std::string alias_table() {
  std::string table =
      "\n## Aliases\n\nOther names of keys. If one file, or `--set`, gives both, the values must "
      "agree.\n\n| alias | key |\n|---|---|\n";
  for (const Alias& alias : aliases()) {
    table += fmt::format("| {} | {} |\n", code(alias.key), code(alias.target));
  }
  return table;
}

std::string ignored_table() {
  std::string table =
      "\n## Ignored keys\n\nKeys of the original that are accepted with any value and have no "
      "effect. Each causes a warning with its reason.\n\n| key | reason |\n|---|---|\n";
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
  for (const PresetTable& presets : preset_tables())
    page += preset_table(presets);
  return page + alias_table() + ignored_table();
}

}  // namespace myxtts::config
