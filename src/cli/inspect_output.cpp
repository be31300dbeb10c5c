#include "cli/inspect_output.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "base/error.h"
#include "checkpoint/checkpoint_metadata.h"
#include "checkpoint/json_walk.h"
#include "config/config.h"
#include "config/resolve.h"
#include "text/symbol_table.h"

namespace myxtts::cli {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxConfigDepth = 64;

std::uint64_t bytes_in(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::error_code unknown;
    if (entry.is_regular_file(unknown)) bytes += entry.file_size(unknown);
  }
  return bytes;
}

// Returns an empty object if config.json is not an object.
Json config_of(const checkpoint::LoadedCheckpoint& loaded) {
  const std::string source = (loaded.folder / "config.json").string();
  checkpoint::walk_json(
      loaded.config_json, kMaxConfigDepth, source, [](const checkpoint::JsonEvent&) {});
  Json config = Json::parse(loaded.config_json);
  return config.is_object() ? config : Json::object();
}

std::optional<std::string> string_at(const Json& config, const char* key) {
  const auto found = config.find(key);
  if (found == config.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

void add_symbols_hash(Json& properties, const Json& config) {
  const std::optional<std::string> symbols = string_at(config, "symbols");
  if (!symbols) return;
  try {
    properties["symbols_hash"] = text::SymbolTable::from_text(*symbols).hash();
  } catch (const UserError&) {  // symbols of a newer program version; the hash is omitted
  }
}

// Adds precision and seed: the choices recorded in config.json, else those of its YAML.
void add_recorded_choices(Json& properties, const Json& config) {
  if (const std::optional<std::string> yaml = string_at(config, "config")) {
    try {
      const config::Config requested = config::parse_yaml(*yaml, "config.json").config;
      properties["precision"] = config::precision_of(requested);
      properties["seed"] = requested.training.seed;
    } catch (const UserError&) {  // keys of a newer program version
    }
  }
  for (const char* key : {"precision", "seed"}) {
    if (config.contains(key)) properties[key] = config[key];
  }
}

bool is_weight(const checkpoint::TensorView& tensor) {
  return !tensor.name.starts_with("ema.") && !tensor.name.starts_with("speakers.");
}

}  // namespace

CheckpointRow row_of(const checkpoint::CheckpointEntry& entry) {
  CheckpointRow row{entry.step, entry.folder, bytes_in(entry.folder), ""};
  try {
    checkpoint::load_checkpoint(entry.folder);
  } catch (const UserError& error) {
    row.fault = error.what();
  }
  return row;
}

Json to_json(const CheckpointRow& row) {
  Json json = {{"step", row.step},
               {"folder", row.folder.string()},
               {"bytes", row.bytes},
               {"good", row.fault.empty()}};
  if (!row.fault.empty()) json["reason"] = row.fault;
  return json;
}

Json tensors_json(const checkpoint::TensorFile& file) {
  std::vector<const checkpoint::TensorView*> tensors;
  for (const checkpoint::TensorView& tensor : file.tensors)
    tensors.push_back(&tensor);
  std::ranges::sort(tensors, {}, &checkpoint::TensorView::name);
  Json rows = Json::array();
  for (const checkpoint::TensorView* tensor : tensors) {
    rows.push_back({{"name", tensor->name},
                    {"dtype", checkpoint::name_of(tensor->dtype)},
                    {"shape", tensor->shape},
                    {"bytes", tensor->bytes.size()},
                    {"crc32c", fmt::format("{:08x}", checkpoint::checksum(*tensor))}});
  }
  return rows;
}

std::int64_t num_parameters(const checkpoint::TensorFile& model) {
  std::uint64_t count = 0;
  for (const checkpoint::TensorView& tensor : model.tensors) {
    if (is_weight(tensor)) count += tensor.bytes.size() / checkpoint::size_of(tensor.dtype);
  }
  return static_cast<std::int64_t>(count);
}

Json checkpoint_properties(const checkpoint::LoadedCheckpoint& loaded) {
  const Json config = config_of(loaded);
  Json properties = {{"kind", string_at(config, "kind").value_or(checkpoint::kVoiceKind)},
                     {"step", loaded.step},
                     {"folder", loaded.folder.string()}};
  const Json state = config.contains("state") ? config["state"] : Json();  // trainer state
  const auto add = [&](const char* key) {
    if (state.is_object() && state.contains(key)) properties[key] = state[key];
    if (config.contains(key)) properties[key] = config[key];
  };
  add("epoch");
  add("batch");
  properties["parameters"] = num_parameters(loaded.model);
  add("speakers");
  add("mel_spec_fingerprint");
  add_symbols_hash(properties, config);
  add_recorded_choices(properties, config);
  add("validation_loss");
  add("best_validation_loss");
  add("judged");
  add("judged_best");
  add("program_version");
  add("format_version");
  return properties;
}

}  // namespace myxtts::cli
