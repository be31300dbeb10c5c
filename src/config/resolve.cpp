#include "config/resolve.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/files.h"
#include "base/nearest.h"
#include "config/field.h"
#include "config/layer_reader.h"
#include "config/validate.h"
#include "config/value.h"

namespace xtts::config {
namespace {

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  return names;
}

std::string bytes_of(const std::filesystem::path& path) {
  base::ReadResult file = base::read_regular_file(path, kMaxYamlBytes);
  require_usage(file.fault != base::FileFault::kMissing,
                "no configuration file '{}'{}",
                path.string(),
                base::suggestion(path.filename().string(), names_in(path.parent_path())));
  require_usage(file.fault == base::FileFault::kNone,
                "configuration file '{}': {} ({}); expected a YAML file of at most {} bytes",
                path.string(),
                base::name_of(file.fault),
                file.detail,
                kMaxYamlBytes);
  return std::move(file.bytes);
}

void read_yaml(std::string_view bytes,
               const std::string& source,
               Resolved& resolved,
               std::vector<std::string>& problems) {
  const YamlNode root = parse_yaml_tree(bytes, source);
  LayerReader(resolved, problems).read_document(root, source);
}

// What `train` will read has no effect on any verb there is: whoever sets it should know.
void warn_of_training_keys(Resolved& resolved) {
  constexpr std::size_t kMostNamed = 8;
  Config defaults;
  const std::vector<Field> fields = fields_of(resolved.config);
  const std::vector<Field> default_fields = fields_of(defaults);
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const bool is_for_training = fields[i].meta.read_by == ReadBy::kTraining;
    if (is_for_training && to_yaml(fields[i]) != to_yaml(default_fields[i])) {
      keys.push_back(fields[i].key());
    }
  }
  if (keys.empty()) return;
  const std::size_t num_more = keys.size() - std::min(keys.size(), kMostNamed);
  keys.resize(keys.size() - num_more);
  resolved.warnings.push_back(
      fmt::format("{}{}: for `train`, which this version does not have yet",
                  fmt::join(keys, ", "),
                  num_more == 0 ? "" : fmt::format(" and {} more", num_more)));
}

}  // namespace

Resolved resolve(const Layers& layers) {
  Resolved resolved;
  std::vector<std::string> problems;
  if (layers.file) read_yaml(bytes_of(*layers.file), layers.file->string(), resolved, problems);

  LayerReader sets(resolved, problems);
  for (const std::string& assignment : layers.sets)
    sets.read_set(assignment);
  LayerReader flags(resolved, problems);
  for (const Override& flag : layers.flags)
    flags.read_flag(flag);

  for (std::string& found : contradictions(resolved.config))
    problems.push_back(std::move(found));
  refuse_if_any(problems);
  warn_of_training_keys(resolved);
  return resolved;
}

Resolved parse_yaml(std::string_view bytes, const std::string& source) {
  Resolved resolved;
  std::vector<std::string> problems;
  read_yaml(bytes, source, resolved, problems);
  refuse_if_any(problems);
  return resolved;
}

Resolved read_file(const std::filesystem::path& path) {
  return parse_yaml(bytes_of(path), path.string());
}

}  // namespace xtts::config
