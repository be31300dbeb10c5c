#include "config/layer_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "config/compatibility.h"
#include "config/validate.h"
#include "config/value.h"

namespace myxtts::config {
namespace {

using Kind = YamlNode::Kind;

const std::vector<std::string>& sections() {
  static const std::vector<std::string> all = {"data", "model", "training"};
  return all;
}

// Returns every accepted key, fields first: of equally near keys the first is suggested.
std::vector<std::string> accepted_keys(const std::vector<Field>& fields) {
  std::vector<std::string> keys;
  keys.reserve(fields.size() + aliases().size() + ignored_keys().size());
  for (const Field& field : fields)
    keys.push_back(field.key());
  for (const Alias& alias : aliases())
    keys.push_back(alias.key);
  for (const IgnoredKey& ignored : ignored_keys())
    keys.push_back(ignored.key);
  return keys;
}

std::string name_in(const std::string& key) {
  return key.substr(key.find('.') + 1);
}

// Suggests a key for a name in the wrong section, or for a misspelt one in the right section, or
// the command that lists all keys.
std::string did_you_mean_key(const std::string& key, const std::vector<Field>& fields) {
  const std::vector<std::string> accepted = accepted_keys(fields);
  const auto elsewhere = std::ranges::find_if(
      accepted, [&](const std::string& other) { return name_in(other) == name_in(key); });
  if (elsewhere != accepted.end()) return fmt::format("; did you mean '{}'?", *elsewhere);

  const std::string section = key.substr(0, key.find('.') + 1);
  std::vector<std::string> names;
  for (const std::string& other : accepted) {
    if (other.starts_with(section)) names.push_back(name_in(other));
  }
  if (const auto near = base::nearest(name_in(key), names)) {
    return fmt::format("; did you mean '{}{}'?", section, *near);
  }
  const std::string suggestion = base::did_you_mean(key, accepted);
  return suggestion.empty() ? "; for all keys run: myxtts config show" : suggestion;
}

}  // namespace

LayerReader::LayerReader(Resolved& resolved, std::vector<std::string>& problems)
    : resolved_(resolved), problems_(problems), fields_(fields_of(resolved.config)) {}

void LayerReader::report(std::string problem) {
  constexpr std::size_t kMaxProblems = 50;
  problems_.push_back(std::move(problem));
  if (problems_.size() < kMaxProblems) return;
  problems_.back() += "\n  reading stopped here; there may be more";
  throw_if_any(problems_);
}

void LayerReader::read_document(const YamlNode& root, const std::string& source) {
  if (root.kind == Kind::kNull) return;
  if (root.kind != Kind::kMap) {
    report(fmt::format(
        "{}: expected the sections data, model and training, found {}", source, root.format()));
    return;
  }
  for (const YamlNode& section : root.items)
    read_section(section, source);
}

void LayerReader::read_section(const YamlNode& section, const std::string& source) {
  const std::string where = fmt::format("{}:{}: {}", source, section.line, section.name);
  if (std::ranges::find(sections(), section.name) == sections().end()) {
    const std::vector<std::string> accepted = accepted_keys(fields_);
    const auto key = std::ranges::find_if(
        accepted, [&](const std::string& other) { return name_in(other) == section.name; });
    report(key != accepted.end()
               ? fmt::format("{}: expected a section; this key is {}", where, *key)
               : fmt::format("{}: no such section; expected data, model or training{}",
                             where,
                             base::did_you_mean(section.name, sections())));
    return;
  }
  if (section.kind == Kind::kNull) return;  // all keys are commented out
  if (section.kind != Kind::kMap) {
    report(fmt::format("{}: expected a section with keys, found {}", where, section.format()));
    return;
  }
  for (const YamlNode& node : section.items) {
    const std::string origin = fmt::format("{}:{}", source, node.line);
    const std::string key = section.name + "." + node.name;
    read_key(key, node, fmt::format("{}: {}", origin, key), origin);
  }
}

void LayerReader::read_set(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    report(fmt::format("--set {}: expected KEY=VALUE, for example data.batch_size=8", assignment));
    return;
  }
  const Override given{assignment.substr(0, equals), assignment.substr(equals + 1)};
  read_override(given, fmt::format("--set {}", assignment), "--set");
}

void LayerReader::read_flag(const Override& flag) {
  const Field* field = find_field(flag.key);
  const std::string name = field == nullptr ? flag.key : field->flags();
  read_override(flag, fmt::format("{} {}", name, flag.value), "flag");
}

void LayerReader::read_override(const Override& given,
                                const std::string& where,
                                const std::string& origin) {
  if (!base::is_utf8(given.value) || !base::is_utf8(given.key)) {
    report(fmt::format("{}: found bytes that are not UTF-8; expected UTF-8 text", origin));
    return;
  }
  const Field* field = find_field(given.key);
  if (field == nullptr) {
    read_key(given.key, YamlNode{}, where, origin);
    return;
  }
  try {
    read_key(given.key, node_from_argument(*field, given.value, where), where, origin);
  } catch (const UsageError& error) {
    report(error.what());
  }
}

void LayerReader::read_key(const std::string& key,
                           const YamlNode& node,
                           const std::string& where,
                           const std::string& origin) {
  const Field* field = find_field(key);
  if (field == nullptr) {
    if (!warn_if_ignored(key)) {
      report(fmt::format("{}: no such key{}", where, did_you_mean_key(key, fields_)));
    }
    return;
  }
  if (const auto problem = assign(*field, node)) {
    report(fmt::format("{}: {}", where, *problem));
    return;
  }
  record_assignment(*field, key, where);
  resolved_.origins[field->key()] = origin;
}

void LayerReader::record_assignment(const Field& field,
                                    const std::string& key,
                                    const std::string& where) {
  const Assignment now{key, to_yaml(field)};
  const auto [before, first] = assigned_.try_emplace(field.key(), now);
  if (first) return;
  if (before->second.key != key && before->second.value != now.value) {
    report(fmt::format("{} is {}, but {} is {}; both keys are one setting, remove one",
                       where,
                       now.value,
                       before->second.key,
                       before->second.value));
  }
  before->second = now;
}

bool LayerReader::warn_if_ignored(const std::string& key) {
  const auto ignored = std::ranges::find_if(
      ignored_keys(), [&](const IgnoredKey& candidate) { return candidate.key == key; });
  if (ignored == ignored_keys().end()) return false;
  const std::string warning = warning_for(*ignored);
  if (std::ranges::find(resolved_.warnings, warning) == resolved_.warnings.end()) {
    resolved_.warnings.push_back(warning);
  }
  return true;
}

const Field* LayerReader::find_field(const std::string& key) const {
  const auto alias =
      std::ranges::find_if(aliases(), [&](const Alias& candidate) { return candidate.key == key; });
  const std::string& target = alias == aliases().end() ? key : alias->target;
  const auto field = std::ranges::find_if(
      fields_, [&](const Field& candidate) { return candidate.key() == target; });
  return field == fields_.end() ? nullptr : &*field;
}

}  // namespace myxtts::config
