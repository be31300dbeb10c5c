#include "config/resolve.h"

#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/nearest.h"
#include "config/layer_reader.h"
#include "config/validate.h"

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
