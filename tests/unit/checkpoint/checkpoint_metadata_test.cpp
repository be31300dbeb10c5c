#include "checkpoint/checkpoint_metadata.h"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace myxtts::checkpoint {
namespace {

CheckpointMetadata example_metadata() {
  return {.program_version = "1.2.3-4-gabcdef",
          .step = (std::int64_t{1} << 53U) + 1,
          .speakers = {"anna", "", "مریم \"x\"\n"},
          .mel_spec_fingerprint = "0123abcd",
          .symbols = "_\n a\nʃ\n",
          .config_yaml = "model:\n  n_mels: 80  # channels\n",
          .mel_mean = -5.1234567890123456,
          .mel_std = 0.1,
          .precision = "bf16",
          .threads = 2,
          .state_json = R"({"best":null,"loss":0.30000000000000004,"step":12})"};
}

std::string metadata_error(const std::string& text) {
  try {
    parse_checkpoint_metadata(text, "run/config.json");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

// The example metadata metadata_with one key changed.
std::string metadata_with(const std::string& key, const nlohmann::json& value) {
  nlohmann::json json = nlohmann::json::parse(to_json_text(example_metadata()));
  json[key] = value;
  return json.dump();
}

void expect_metadata_refused(const std::string& text, const std::string& message) {
  const std::string reason = metadata_error(text);
  EXPECT_NE(reason.find(message), std::string::npos) << reason;
  EXPECT_NE(reason.find("run/config.json"), std::string::npos) << reason;
}

TEST(CheckpointMetadata, RoundTripIsExact) {
  const CheckpointMetadata metadata = example_metadata();

  const CheckpointMetadata found = parse_checkpoint_metadata(to_json_text(metadata), "config.json");

  EXPECT_EQ(found.program_version, metadata.program_version);
  EXPECT_EQ(found.step, metadata.step);
  EXPECT_EQ(found.speakers, metadata.speakers);
  EXPECT_EQ(found.mel_spec_fingerprint, metadata.mel_spec_fingerprint);
  EXPECT_EQ(found.symbols, metadata.symbols);
  EXPECT_EQ(found.config_yaml, metadata.config_yaml);
  EXPECT_EQ(found.mel_mean, metadata.mel_mean);
  EXPECT_EQ(found.mel_std, metadata.mel_std);
  EXPECT_EQ(found.precision, metadata.precision);
  EXPECT_EQ(found.threads, metadata.threads);
  EXPECT_EQ(found.state_json, metadata.state_json);
}

TEST(CheckpointMetadata, UnknownKeysAreIgnored) {
  EXPECT_EQ(parse_checkpoint_metadata(metadata_with("vocoder", "small"), "config.json").threads, 2);
}

TEST(CheckpointMetadata, CheckpointWithoutKindIsAVoice) {
  nlohmann::json json = nlohmann::json::parse(metadata_with("kind", kVocoderKind));
  EXPECT_EQ(parse_checkpoint_metadata(json.dump(), "config.json").kind, kVocoderKind);

  json.erase("kind");
  EXPECT_EQ(parse_checkpoint_metadata(json.dump(), "config.json").kind, kVoiceKind);
}

TEST(CheckpointMetadata, EveryOtherKeyIsRequired) {
  const nlohmann::json json = nlohmann::json::parse(to_json_text(example_metadata()));
  ASSERT_EQ(json.size(), 13U);
  for (const auto& item : json.items()) {
    if (item.key() == "kind") continue;  // optional
    nlohmann::json without = json;
    without.erase(item.key());
    expect_metadata_refused(without.dump(), "has no '" + item.key() + "'");
  }
}

TEST(CheckpointMetadata, EveryKeyHasARequiredType) {
  for (const char* key :
       {"program_version", "mel_spec_fingerprint", "symbols", "config", "precision"})
    expect_metadata_refused(metadata_with(key, 1), fmt::format("'{}' is number", key));
  for (const char* key : {"format_version", "step", "mel_mean", "mel_std", "threads"})
    expect_metadata_refused(metadata_with(key, "1"), fmt::format("'{}' is string", key));
  expect_metadata_refused(metadata_with("speakers", "anna"), "'speakers' is string");
  expect_metadata_refused(metadata_with("speakers", {"anna", 1}), "'speakers' is array");
  expect_metadata_refused(metadata_with("state", nlohmann::json()), "'state' is null");
}

TEST(CheckpointMetadata, CountsMustBeIntegersInRange) {
  for (const char* key : {"format_version", "step", "threads"}) {
    for (const nlohmann::json& value :
         {nlohmann::json(1.5), nlohmann::json(1e300), nlohmann::json(true)})
      expect_metadata_refused(metadata_with(key, value), fmt::format("'{}'", key));
  }
  expect_metadata_refused(metadata_with("step", std::numeric_limits<std::uint64_t>::max()),
                          "'step'");
  expect_metadata_refused(metadata_with("step", -1), "'step'");
  expect_metadata_refused(metadata_with("threads", std::int64_t{1} << 40U), "'threads'");
  expect_metadata_refused(metadata_with("mel_mean", true), "'mel_mean'");
}

TEST(CheckpointMetadata, RefusesTextThatIsNotCheckpointMetadata) {
  expect_metadata_refused("", "not JSON");
  expect_metadata_refused("{\"step\": 1", "not JSON");
  expect_metadata_refused("[]", "not JSON");
  expect_metadata_refused("{}", "has no 'format_version'");
  expect_metadata_refused(metadata_with("format_version", 2),
                          "has format version 2, this program reads 1");
}

TEST(CheckpointMetadata, DeepNestingDoesNotOverflowTheStack) {
  std::string text = metadata_with("state", nlohmann::json::object());
  const std::string deep = std::string(1000000, '[') + std::string(1000000, ']');
  text.replace(text.find("\"state\":{}") + 8, 2, deep);

  expect_metadata_refused(text, "nested deeper than");
}

}  // namespace
}  // namespace myxtts::checkpoint
