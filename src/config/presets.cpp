#include "config/presets.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "config/field.h"
#include "config/value.h"

namespace myxtts::config {
namespace {

// Attention heads are 96 wide, feed-forward widths three times the block width. Parameters: about
// 5.6, 15, 45 and 120 million.
PresetTable model_sizes() {
  return {"model.model_size",
          {"tiny", "small", "normal", "big"},
          {
              {"model.text_encoder_dim", {"192", "288", "480", "768"}},
              {"model.text_encoder_conv_layers", {"2", "2", "3", "4"}},
              {"model.text_encoder_layers", {"3", "4", "5", "6"}},
              {"model.text_encoder_heads", {"2", "3", "5", "8"}},
              {"model.text_encoder_ffn_dim", {"576", "864", "1440", "2304"}},
              {"model.audio_encoder_dim", {"128", "192", "320", "512"}},
              {"model.audio_encoder_layers", {"3", "3", "4", "4"}},
              {"model.speaker_embedding_dim", {"128", "192", "256", "384"}},
              {"model.decoder_dim", {"256", "384", "576", "768"}},
              {"model.decoder_layers", {"6", "7", "8", "10"}},
              {"model.decoder_ffn_dim", {"768", "1152", "1728", "2304"}},
          }};
}

// Parameters: about 2.8 and 13.5 million.
PresetTable vocoder_sizes() {
  return {"model.vocoder_size",
          {"cpu", "full"},
          {
              {"model.vocoder_initial_channel", {"256", "512"}},
              {"model.vocoder_layers", {"6", "8"}},
              {"model.vocoder_ffn_dim", {"768", "1536"}},
          }};
}

PresetTable optimization_levels() {
  return {"training.optimization_level",
          {"basic", "enhanced", "experimental", "plateau_breaker"},
          {
              {"training.learning_rate", {"0.001", "0.002", "0.003", "0.001"}},
              {"training.weight_decay", {"0.0", "0.01", "0.01", "0.01"}},
              {"training.gradient_clip_norm", {"1.0", "1.0", "1.0", "0.5"}},
              {"training.warmup_steps", {"200", "200", "100", "200"}},
              {"training.lr_plateau_patience", {"0", "0", "0", "3"}},
          }};
}

const Field& field_in(const std::vector<Field>& fields, const std::string& key) {
  const auto found = std::ranges::find_if(fields, [&](const Field& f) { return f.key() == key; });
  invariant(found != fields.end(), "a preset sets existing keys: " + key);
  return *found;
}

std::optional<std::size_t> chosen_in(const PresetTable& table, const std::vector<Field>& fields) {
  const std::string& name = *std::get<std::string*>(field_in(fields, table.key).value);
  const auto found = std::ranges::find(table.names, name);
  if (found == table.names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.names.begin());
}

void assign_row(const PresetTable::Row& row, std::size_t chosen, const std::vector<Field>& fields) {
  const Field& field = field_in(fields, row.key);
  const auto problem = assign(field, parse_yaml_tree(row.values[chosen], row.key));
  invariant(!problem, "a preset has valid values");
}

bool is_from_command_line(const std::string& origin) {
  return origin == "flag" || origin == "--set";
}

// Applies one table and collects the keys that keep their explicit values.
class Application {
 public:
  Application(Resolved& resolved, const PresetTable& table)
      : resolved_(resolved),
        table_(table),
        fields_(fields_of(resolved.config)),
        wanted_fields_(fields_of(wanted_)),
        default_fields_(fields_of(defaults_)) {}
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  void run() {
    const std::optional<std::size_t> chosen = chosen_in(table_, fields_);
    if (!chosen) return;
    has_effect_ =
        chosen == chosen_in(table_, default_fields_);  // the default preset changes nothing
    for (const PresetTable::Row& row : table_.rows)
      apply(row, *chosen);
    warn(table_.names[*chosen]);
  }

 private:
  void apply(const PresetTable::Row& row, std::size_t chosen) {
    assign_row(row, chosen, wanted_fields_);
    const std::string wanted = to_yaml(field_in(wanted_fields_, row.key));
    const bool has_value = to_yaml(field_in(fields_, row.key)) == wanted;
    const auto given = resolved_.origins.find(row.key);
    if (given == resolved_.origins.end()) {
      if (has_value) return;
      assign_row(row, chosen, fields_);
      resolved_.origins[row.key] =
          fmt::format("{} {}", field_in(fields_, table_.key).name, table_.names[chosen]);
      has_effect_ = true;
    } else if (!has_value) {
      kept_.push_back(row.key);
      if (!is_from_command_line(given->second)) kept_from_file_.push_back(row.key);
    } else if (wanted != to_yaml(field_in(default_fields_, row.key))) {
      has_effect_ = true;
    }
  }

  void warn(const char* name) {
    const auto asked = resolved_.origins.find(table_.key);
    if (asked == resolved_.origins.end() || kept_.empty()) return;
    const bool file_overrides_preset =
        is_from_command_line(asked->second) && !kept_from_file_.empty();
    if (!file_overrides_preset && has_effect_) return;
    resolved_.warnings.push_back(fmt::format(
        "{}: preset {} does not apply to keys with explicit values: {}; remove them from the "
        "configuration to use the preset",
        table_.key,
        name,
        fmt::join(file_overrides_preset ? kept_from_file_ : kept_, ", ")));
  }

  Resolved& resolved_;
  const PresetTable& table_;
  Config wanted_;
  Config defaults_;
  const std::vector<Field> fields_;          // point into resolved_.config
  const std::vector<Field> wanted_fields_;   // point into wanted_
  const std::vector<Field> default_fields_;  // point into defaults_
  std::vector<std::string> kept_;            // explicit values that differ from the preset
  std::vector<std::string> kept_from_file_;  // the part of kept_ that comes from a file
  bool has_effect_ = false;
};

}  // namespace

const std::vector<PresetTable>& preset_tables() {
  static const std::vector<PresetTable> all = {
      model_sizes(), vocoder_sizes(), optimization_levels()};
  return all;
}

void apply_presets(Resolved& resolved) {
  for (const PresetTable& table : preset_tables())
    Application(resolved, table).run();
}

Config preset_defaults_of(const Config& config) {
  Resolved resolved;
  resolved.config.model.model_size = config.model.model_size;
  resolved.config.model.vocoder_size = config.model.vocoder_size;
  resolved.config.training.optimization_level = config.training.optimization_level;
  apply_presets(resolved);
  return resolved.config;
}

}  // namespace myxtts::config
