#include "checkpoint/checkpoint_metadata.h"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace xtts::checkpoint {
namespace {

CheckpointMetadata some_facts() {
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

std::string reason_against_facts(const std::string& text) {
  try {
    parse_checkpoint_metadata(text, "run/config.json");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

// The facts with one key changed.
std::string with(const std::string& key, const nlohmann::json& value) {
  nlohmann::json json = nlohmann::json::parse(to_json_text(some_facts()));
  json[key] = value;
  return json.dump();
}

void expect_facts_refused(const std::string& text, const std::string& words) {
  const std::string reason = reason_against_facts(text);
  EXPECT_NE(reason.find(words), std::string::npos) << reason;
  EXPECT_NE(reason.find("run/config.json"), std::string::npos) << reason;
}

TEST(CheckpointMetadata, ComeBackToTheBit) {
  const CheckpointMetadata facts = some_facts();

  const CheckpointMetadata found = parse_checkpoint_metadata(to_json_text(facts), "config.json");

  EXPECT_EQ(found.program_version, facts.program_version);
  EXPECT_EQ(found.step, facts.step);
  EXPECT_EQ(found.speakers, facts.speakers);
  EXPECT_EQ(found.mel_spec_fingerprint, facts.mel_spec_fingerprint);
  EXPECT_EQ(found.symbols, facts.symbols);
  EXPECT_EQ(found.config_yaml, facts.config_yaml);
  EXPECT_EQ(found.mel_mean, facts.mel_mean);
  EXPECT_EQ(found.mel_std, facts.mel_std);
  EXPECT_EQ(found.precision, facts.precision);
  EXPECT_EQ(found.threads, facts.threads);
  EXPECT_EQ(found.state_json, facts.state_json);
}

TEST(CheckpointMetadata, AKeyOfALaterProgramIsNoHindrance) {
  EXPECT_EQ(parse_checkpoint_metadata(with("vocoder", "small"), "config.json").threads, 2);
}

TEST(CheckpointMetadata, ASaveThatDoesNotSayItsKindIsAVoice) {
  nlohmann::json json = nlohmann::json::parse(with("kind", kVocoderKind));
  EXPECT_EQ(parse_checkpoint_metadata(json.dump(), "config.json").kind, kVocoderKind);

  json.erase("kind");
  EXPECT_EQ(parse_checkpoint_metadata(json.dump(), "config.json").kind, kVoiceKind);
}

TEST(CheckpointMetadata, EveryKeyMustBeThere) {
  const nlohmann::json json = nlohmann::json::parse(to_json_text(some_facts()));
  ASSERT_EQ(json.size(), 13U);
  for (const auto& item : json.items()) {
    if (item.key() == "kind") continue;  // see above
    nlohmann::json without = json;
    without.erase(item.key());
    expect_facts_refused(without.dump(), "has no '" + item.key() + "'");
  }
}

TEST(CheckpointMetadata, EveryKeyHasItsType) {
  for (const char* key :
       {"program_version", "mel_spec_fingerprint", "symbols", "config", "precision"})
    expect_facts_refused(with(key, 1), fmt::format("'{}' is number", key));
  for (const char* key : {"format_version", "step", "mel_mean", "mel_std", "threads"})
    expect_facts_refused(with(key, "1"), fmt::format("'{}' is string", key));
  expect_facts_refused(with("speakers", "anna"), "'speakers' is string");
  expect_facts_refused(with("speakers", {"anna", 1}), "'speakers' is array");
  expect_facts_refused(with("state", nlohmann::json()), "'state' is null");
}

TEST(CheckpointMetadata, ACountIsAWholeNumberInRange) {
  for (const char* key : {"format_version", "step", "threads"}) {
    for (const nlohmann::json& value :
         {nlohmann::json(1.5), nlohmann::json(1e300), nlohmann::json(true)})
      expect_facts_refused(with(key, value), fmt::format("'{}'", key));
  }
  expect_facts_refused(with("step", std::numeric_limits<std::uint64_t>::max()), "'step'");
  expect_facts_refused(with("step", -1), "'step'");
  expect_facts_refused(with("threads", std::int64_t{1} << 40U), "'threads'");
  expect_facts_refused(with("mel_mean", true), "'mel_mean'");
}

TEST(CheckpointMetadata, RefusesWhatIsNotTheFactsOfASave) {
  expect_facts_refused("", "not JSON");
  expect_facts_refused("{\"step\": 1", "not JSON");
  expect_facts_refused("[]", "not JSON");
  expect_facts_refused("{}", "has no 'format_version'");
  expect_facts_refused(with("format_version", 2), "has format version 2, this program reads 1");
}

TEST(CheckpointMetadata, NoDepthOfNestingOverrunsTheStack) {
  std::string text = with("state", nlohmann::json::object());
  const std::string deep = std::string(1000000, '[') + std::string(1000000, ']');
  text.replace(text.find("\"state\":{}") + 8, 2, deep);

  expect_facts_refused(text, "nested deeper than");
}

}  // namespace
}  // namespace xtts::checkpoint
