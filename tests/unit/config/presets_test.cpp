#include "config/presets.h"

#include <cstdint>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "config/field.h"
#include "config/validate.h"
#include "config/write_yaml.h"
#include "support/temp_dir.h"

namespace myxtts::config {
namespace {

Resolved with(std::vector<std::string> sets, std::vector<Override> flags = {}) {
  return resolve({.file = {}, .sets = std::move(sets), .flags = std::move(flags)});
}

std::optional<Field> field_named(const std::string& key, Config& config) {
  for (const Field& field : fields_of(config)) {
    if (field.key() == key) return field;
  }
  return std::nullopt;
}

// Weights of the blocks, most of a model; without biases and the input and output layers.
std::int64_t num_parameters(const ModelConfig& model) {
  const auto convolution = [&](std::int64_t width, std::int64_t hidden, std::int64_t speaker) {
    return 2 * width * hidden + 2 * width * speaker;
  };
  const std::int64_t speaker = model.speaker_embedding_dim;
  const std::int64_t width = model.text_encoder_dim;
  const std::int64_t attention =
      4 * width * width + 4 * width * model.text_encoder_ffn_dim + 2 * width * speaker;
  return model.text_encoder_conv_layers * convolution(width, model.text_encoder_ffn_dim, speaker) +
         model.text_encoder_layers * attention +
         model.decoder_layers * convolution(model.decoder_dim, model.decoder_ffn_dim, speaker) +
         model.audio_encoder_layers *
             convolution(model.audio_encoder_dim, std::int64_t{3} * model.audio_encoder_dim, 0);
}

TEST(Presets, DefaultPresetsHoldTheDefaults) {
  EXPECT_TRUE(differences(Config{}, preset_defaults_of(Config{})).empty());
  EXPECT_EQ(with({"model.model_size=tiny"}).config.model.decoder_dim, 256);
  EXPECT_EQ(with({"model.model_size=tiny"}).origins.size(), 1U);
}

TEST(Presets, TablesMatchTheChoicesOfTheirKeyAndItsSection) {
  Config config;
  for (const PresetTable& table : preset_tables()) {
    const auto selector = field_named(table.key, config);
    ASSERT_TRUE(selector.has_value()) << table.key;
    EXPECT_EQ(selector->choices(),
              std::vector<std::string>(table.names.begin(), table.names.end()));
    for (const PresetTable::Row& row : table.rows) {
      const auto field = field_named(row.key, config);
      ASSERT_TRUE(field.has_value()) << row.key;
      EXPECT_EQ(row.values.size(), table.names.size()) << row.key;
      EXPECT_EQ(field->section, selector->section)
          << "presets are shown above their section: " << row.key;
    }
  }
}

TEST(Presets, EveryPresetIsDistinctAndValid) {
  for (const PresetTable& table : preset_tables()) {
    std::set<std::string> seen;
    for (const char* name : table.names) {
      const Resolved resolved = with({std::string(table.key) + "=" + name});
      EXPECT_TRUE(resolved.warnings.empty()) << name;

      Config values = resolved.config;
      *std::get<std::string*>(field_named(table.key, values)->value) = "";
      EXPECT_TRUE(seen.insert(write_yaml(values)).second) << name;
    }
  }
}

TEST(Presets, ModelSizesHaveTheDocumentedParameterCounts) {
  const auto millions = [](const char* size) {
    const Config config = with({std::string("model.model_size=") + size}).config;
    return static_cast<double>(num_parameters(config.model)) / 1e6;
  };

  EXPECT_NEAR(millions("tiny"), 5.6, 0.6);
  EXPECT_NEAR(millions("small"), 15.0, 1.5);
  EXPECT_NEAR(millions("normal"), 45.0, 4.5);
  EXPECT_NEAR(millions("big"), 120.0, 12.0);
}

TEST(Presets, VocoderSizesAreCpuAndFull) {
  const ModelConfig cpu = with({}).config.model;
  const ModelConfig full = with({"model.vocoder_size=full"}).config.model;

  EXPECT_EQ(std::tuple(cpu.vocoder_initial_channel, cpu.vocoder_layers, cpu.vocoder_ffn_dim),
            std::tuple(256, 6, 768));
  EXPECT_EQ(std::tuple(full.vocoder_initial_channel, full.vocoder_layers, full.vocoder_ffn_dim),
            std::tuple(512, 8, 1536));
}

TEST(Presets, OnlySetKeysWithoutAnExplicitValue) {
  const support::TempDir dir;
  const Layers layers{.file = dir.write("x.yaml",
                                        "model: {model_size: big, decoder_layers: 3}\n"
                                        "training: {learning_rate: 0.0005}\n"),
                      .sets = {"model.text_encoder_layers=9"},
                      .flags = {{"training.warmup_steps", "7"},
                                {"training.optimization_level", "plateau_breaker"}}};

  const Resolved resolved = resolve(layers);

  EXPECT_EQ(resolved.config.model.decoder_layers, 3);
  EXPECT_EQ(resolved.config.model.text_encoder_layers, 9);
  EXPECT_EQ(resolved.config.model.decoder_dim, 768);
  EXPECT_EQ(resolved.origins.at("model.decoder_dim"), "model_size big");
  EXPECT_EQ(resolved.origins.at("model.decoder_layers"), layers.file->string() + ":1");
  EXPECT_EQ(resolved.config.training.warmup_steps, 7);
  EXPECT_EQ(resolved.config.training.learning_rate, 0.0005);
  EXPECT_EQ(resolved.config.training.lr_plateau_patience, 3);
  EXPECT_EQ(resolved.origins.at("training.lr_plateau_patience"),
            "optimization_level plateau_breaker");
}

TEST(Presets, AKeySetToItsDefaultKeepsItsDefault) {
  const Resolved resolved = with({"model.model_size=small", "model.decoder_dim=256"});

  EXPECT_EQ(resolved.config.model.decoder_dim, 256);
  const Resolved back = parse_yaml(write_yaml(resolved, Keys::kChanged), "written");
  EXPECT_TRUE(differences(back.config, resolved.config).empty());
}

TEST(Presets, AFileWithEveryKeyCausesAWarning) {
  const support::TempDir dir;
  const std::string tiny = write_yaml(Config{});
  std::string edited = tiny;
  edited.replace(edited.find("model_size: tiny"), 16, "model_size: big ");

  const Resolved named = resolve(
      {.file = dir.write("tiny.yaml", tiny), .sets = {}, .flags = {{"model.model_size", "small"}}});
  const Resolved renamed = parse_yaml(edited, "edited.yaml");

  ASSERT_EQ(named.warnings.size(), 1U);
  EXPECT_TRUE(named.warnings[0].starts_with(
      "model.model_size: preset small does not apply to keys with explicit values: "
      "model.text_encoder_dim, "))
      << named.warnings[0];
  ASSERT_EQ(renamed.warnings.size(), 1U);
  EXPECT_TRUE(renamed.warnings[0].starts_with("model.model_size: preset big does not apply"));
}

TEST(Presets, APresetFlagWarnsAboutKeysSetInTheFile) {
  const support::TempDir dir;
  const Layers layers{.file = dir.write("x.yaml", "model: {decoder_dim: 300}\n"),
                      .sets = {"model.decoder_layers=9"},
                      .flags = {{"model.model_size", "small"}}};

  EXPECT_EQ(resolve(layers).warnings,
            std::vector<std::string>{
                "model.model_size: preset small does not apply to keys with explicit values: "
                "model.decoder_dim; remove them from the configuration to use the preset"});
}

TEST(Presets, AnExplicitExceptionCausesNoWarning) {
  EXPECT_TRUE(with({"model.decoder_dim=300"}, {{"model.model_size", "small"}}).warnings.empty());
  EXPECT_TRUE(parse_yaml("model: {model_size: small, decoder_dim: 300}", "x").warnings.empty());
  EXPECT_TRUE(parse_yaml("model: {model_size: tiny, decoder_dim: 300}", "x").warnings.empty());

  const Resolved small = with({"model.model_size=small", "model.decoder_dim=300"});
  EXPECT_TRUE(parse_yaml(write_yaml(small), "run file").warnings.empty());
}

TEST(Presets, AnUnknownNameIsLeftToValidation) {
  Resolved resolved;
  resolved.config.model.model_size = "huge";

  apply_presets(resolved);

  EXPECT_TRUE(resolved.origins.empty());
  EXPECT_EQ(validation_errors(resolved.config).size(), 1U);
}

}  // namespace
}  // namespace myxtts::config
