// tests/golden/original_keys.txt lists every key of the original configuration with its default.

#include "config/compatibility.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "config/field.h"
#include "config/resolve.h"

namespace myxtts::config {
namespace {

struct OriginalKey {
  std::string section, name, value;
  std::string key() const { return section + "." + name; }
};

std::vector<OriginalKey> original_keys() {
  std::ifstream file(MYXTTS_SOURCE_DIR "/tests/golden/original_keys.txt");
  std::vector<OriginalKey> keys;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    OriginalKey key;
    std::istringstream columns(line);
    columns >> key.section >> key.name;
    std::getline(columns >> std::ws, key.value);
    keys.push_back(key);
  }
  return keys;
}

template <typename Entry>
bool has_key(const std::vector<Entry>& entries, const std::string& key) {
  return std::ranges::any_of(entries, [&](const Entry& entry) { return entry.key == key; });
}

TEST(Compatibility, EveryOriginalKeyIsAFieldAnAliasOrIgnoredWithAReason) {
  Config config;
  const std::vector<Field> fields = fields_of(config);
  const std::vector<OriginalKey> originals = original_keys();
  ASSERT_EQ(originals.size(), 203U);

  for (const OriginalKey& original : originals) {
    const std::string key = original.key();
    const bool is_field =
        std::ranges::any_of(fields, [&](const Field& field) { return field.key() == key; });
    const int num_roles = static_cast<int>(is_field) + static_cast<int>(has_key(aliases(), key)) +
                          static_cast<int>(has_key(ignored_keys(), key));
    EXPECT_EQ(num_roles, 1) << key;
  }
}

TEST(Compatibility, EveryIgnoredKeyCausesAWarning) {
  for (const IgnoredKey& ignored : ignored_keys()) {
    const Resolved resolved = resolve({.file = {}, .sets = {ignored.key + "=[1, x]"}, .flags = {}});

    ASSERT_EQ(resolved.warnings, std::vector<std::string>{warning_for(ignored)});
    EXPECT_GT(ignored.reason.size(), 10U) << ignored.key;
  }
}

TEST(Compatibility, EveryIgnoredKeyIsAKeyOfTheOriginal) {
  std::set<std::string> originals;
  for (const OriginalKey& original : original_keys())
    originals.insert(original.key());

  for (const IgnoredKey& ignored : ignored_keys())
    EXPECT_TRUE(originals.contains(ignored.key));
}

TEST(Compatibility, FieldsStateTheDefaultOfTheOriginal) {
  Config config;
  const std::vector<OriginalKey> originals = original_keys();

  for (const Field& field : fields_of(config)) {
    const auto original = std::ranges::find_if(
        originals, [&](const OriginalKey& candidate) { return candidate.key() == field.key(); });
    const bool is_new = original == originals.end();
    ASSERT_EQ(field.meta.original == nullptr, is_new) << field.key();
    if (!is_new) {
      EXPECT_EQ(field.meta.original, original->value) << field.key();
    }
  }
}

TEST(Compatibility, AliasesSetTheirFields) {
  const Resolved resolved = parse_yaml(
      "data: {use_tf_native_loading: false}\ntraining: {enable_xla_compilation: false}", "x.yaml");

  EXPECT_FALSE(resolved.config.data.use_native_loading);
  EXPECT_FALSE(resolved.config.training.compile_step);
  EXPECT_TRUE(resolved.warnings.empty());
}

}  // namespace
}  // namespace myxtts::config
