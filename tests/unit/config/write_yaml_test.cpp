#include "config/write_yaml.h"

#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "config/field.h"
#include "config/presets.h"
#include "config/value.h"

namespace myxtts::config {
namespace {

// Values for fields where the general rule below would give an invalid configuration.
const std::map<std::string, std::string>& other_values() {
  static const std::map<std::string, std::string> values = {
      {"model.win_length", "512"},
      {"model.mel_fmin", "50.0"},
      {"data.text_cleaners", "[basic_cleaners, no_cleaners]"},
      {"training.device", "cpu"},
      {"training.memory_budget", "6GB"},
      {"data.cache_limit", "800MB"},
      {"data.data_device", "cpu:0"},
      {"data.model_device", "cuda:1"},
      {"training.schedule_steps", "5000"},
      {"training.min_learning_rate", "0.0003"},
      {"model.decoder_crop_frames", "128"},
      {"model.dropout_rate", "0.25"},
  };
  return values;
}

bool another(bool value) {
  return !value;
}
int another(int value) {
  return value == 0 ? 3 : value * 2;
}
double another(double value) {
  return value == 0 ? 2.5 : value * 0.75;
}
std::string another(const std::string& /*value*/) {
  return "other: (one)";
}
std::vector<std::string> another(const std::vector<std::string>& /*value*/) {
  return {"a", "b"};
}

template <typename Value>
std::optional<Value> another(const std::optional<Value>& value) {
  return another(value.value_or(Value{}));
}

// Gives the field a valid value that is not its default.
void change(const Field& field) {
  const auto listed = other_values().find(field.key());
  const std::vector<std::string> choices = field.choices();
  if (listed != other_values().end()) {
    ASSERT_EQ(assign(field, parse_yaml_tree(listed->second, "test")), std::nullopt);
  } else if (!choices.empty()) {
    auto& word = *std::get<std::string*>(field.value);
    word = word == choices.front() ? choices.back() : choices.front();
  } else {
    std::visit([](auto* value) { *value = another(*value); }, field.value);
  }
}

// The value as given on the command line after "key=".
std::string argument_value(const Field& field) {
  const YamlNode node = parse_yaml_tree(to_yaml(field), "test");
  return node.kind == YamlNode::Kind::kScalar ? node.text : to_yaml(field);
}

std::string file_text(const std::string& name) {
  std::ifstream file(std::string(MYXTTS_SOURCE_DIR "/") + name);
  return (std::ostringstream() << file.rdbuf()).str();
}

// A configuration in which every field differs from its default.
Config everything_changed() {
  Config config;
  for (const Field& field : fields_of(config))
    change(field);
  return config;
}

TEST(WriteYaml, SettingAKeyChangesOnlyThatKey) {
  Config defaults;
  Config changed = everything_changed();
  const std::vector<Field> fields = fields_of(defaults);
  const std::vector<Field> changed_fields = fields_of(changed);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string key = fields[i].key();
    const std::string assignment = key + "=" + argument_value(changed_fields[i]);
    SCOPED_TRACE(assignment);

    const Resolved resolved = resolve({.file = {}, .sets = {assignment}, .flags = {}});

    // A preset key changes other keys as well; presets_test.cpp covers them.
    Config expected = preset_defaults_of(resolved.config);
    const std::vector<Field> expected_fields = fields_of(expected);
    ASSERT_EQ(assign(expected_fields[i], parse_yaml_tree(to_yaml(changed_fields[i]), "test")),
              std::nullopt);
    EXPECT_TRUE(differences(expected, resolved.config).empty());
    EXPECT_NE(to_yaml(changed_fields[i]), to_yaml(fields[i]));
    EXPECT_EQ(resolved.origins.at(key), "--set");
    EXPECT_TRUE(resolved.warnings.empty());
  }
}

TEST(WriteYaml, WrittenConfigurationsRoundTrip) {
  Config changed = everything_changed();
  const Resolved resolved{
      .config = changed, .origins = {{"data.batch_size", "odd\nname"}}, .warnings = {}};

  for (const Keys keys : {Keys::kAll, Keys::kChanged}) {
    const Resolved back = parse_yaml(write_yaml(resolved, keys), "written");

    EXPECT_TRUE(differences(back.config, changed).empty());
    EXPECT_EQ(back.origins.size(), fields_of(changed).size());
  }
}

TEST(WriteYaml, KeysChangedWritesOnlyChangedKeys) {
  const Resolved resolved =
      resolve({.file = {}, .sets = {"data.batch_size=8", "data.val_split=0.1"}, .flags = {}});

  const std::string yaml = write_yaml(resolved, Keys::kChanged);

  EXPECT_NE(yaml.find("  batch_size: 8 "), std::string::npos);
  EXPECT_NE(yaml.find("[from --set]"), std::string::npos);
  EXPECT_EQ(yaml.find("val_split"), std::string::npos);
  EXPECT_EQ(yaml.find("\nmodel:"), std::string::npos);
}

TEST(WriteYaml, CommittedConfigurationHoldsTheDefaults) {
  const std::string committed = file_text("configs/config.yaml");
  ASSERT_FALSE(committed.empty());

  EXPECT_TRUE(committed == write_yaml(Config{})) << "run: myxtts config show > configs/config.yaml";
  const Resolved resolved = parse_yaml(committed, "configs/config.yaml");
  EXPECT_TRUE(differences(Config{}, resolved.config).empty());
  EXPECT_TRUE(resolved.warnings.empty());
}

}  // namespace
}  // namespace myxtts::config
