#include "config/resolve.h"

#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/files.h"
#include "base/nearest.h"
#include "config/field.h"
#include "config/layer_reader.h"
#include "config/presets.h"
#include "config/validate.h"
#include "config/value.h"

namespace myxtts::config {
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
                "configuration file '{}' does not exist{}",
                path.string(),
                base::did_you_mean(path.filename().string(), names_in(path.parent_path())));
  require_usage(file.fault == base::FileFault::kNone,
                "configuration file '{}' {}; expected a YAML file of at most {} bytes",
                path.string(),
                base::format_fault(file),
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

// Returns the layer that set a key, 4 (flag) to 1 (run file); 0: none.
int layer_of(const std::string& key, const Resolved& resolved, const Layers& layers) {
  const auto found = resolved.origins.find(key);
  if (found == resolved.origins.end()) return 0;
  const std::string& origin = found->second;
  if (origin == "flag") return 4;
  if (origin == "--set") return 3;
  return layers.file && origin.starts_with(layers.file->string() + ":") ? 2 : 1;
}

// Both keys choose the shapes, so the key in the higher layer resets the other: --shape-buckets
// works whatever the file says about fixed shapes. validate() checks both keys of one layer.
void resolve_shape_keys(Resolved& resolved, const Layers& layers) {
  const std::string fixed = "data.pad_to_fixed_length";
  const std::string buckets = "data.shape_buckets";
  const int fixed_layer = layer_of(fixed, resolved, layers);
  const int buckets_layer = layer_of(buckets, resolved, layers);
  if (fixed_layer > buckets_layer) {
    resolved.config.data.shape_buckets.reset();
    resolved.origins.erase(buckets);
  } else if (buckets_layer > fixed_layer) {
    resolved.config.data.pad_to_fixed_length.reset();
    resolved.origins.erase(fixed);
  }
}

}  // namespace

Resolved resolve(const Layers& layers) {
  Resolved resolved;
  std::vector<std::string> problems;
  if (layers.run_file) {
    read_yaml(bytes_of(*layers.run_file), layers.run_file->string(), resolved, problems);
  }
  if (layers.file) read_yaml(bytes_of(*layers.file), layers.file->string(), resolved, problems);

  LayerReader sets(resolved, problems);
  for (const std::string& assignment : layers.sets)
    sets.read_set(assignment);
  LayerReader flags(resolved, problems);
  for (const Override& flag : layers.flags)
    flags.read_flag(flag);

  resolve_shape_keys(resolved, layers);
  apply_presets(resolved);
  for (std::string& found : validation_errors(resolved.config))
    problems.push_back(std::move(found));
  throw_if_any(problems);
  return resolved;
}

Resolved parse_yaml(std::string_view bytes, const std::string& source) {
  Resolved resolved;
  std::vector<std::string> problems;
  read_yaml(bytes, source, resolved, problems);
  throw_if_any(problems);
  apply_presets(resolved);
  return resolved;
}

Resolved read_file(const std::filesystem::path& path) {
  return parse_yaml(bytes_of(path), path.string());
}

}  // namespace myxtts::config
