#include "checkpoint/save_facts.h"

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace xtts::checkpoint {
namespace {

constexpr int kFactsVersion = 1;

// The value of a key that must be there, with the type that is read.
template <typename Value>
Value take(const nlohmann::json& facts, const char* key, const std::string& source) {
  const auto found = facts.find(key);
  require(found != facts.end(), "{} has no '{}': it is not the config.json of a save", source, key);
  try {
    return found->get<Value>();
  } catch (const nlohmann::json::exception&) {
    throw UserError(fmt::format(
        "{}: '{}' is {}, not what a save holds there", source, key, found->type_name()));
  }
}

}  // namespace

std::string to_json_text(const SaveFacts& facts) {
  const nlohmann::ordered_json json = {
      {"format_version", kFactsVersion},
      {"program_version", facts.program_version},
      {"step", facts.step},
      {"speakers", facts.speakers},
      {"mel_contract_hash", facts.mel_contract_hash},
      {"mel_mean", facts.mel_mean},
      {"mel_deviation", facts.mel_deviation},
      {"precision", facts.precision},
      {"threads", facts.threads},
      {"symbols", facts.symbols},
      {"config", facts.config_yaml},
      {"state", nlohmann::ordered_json::parse(facts.state_json)},
  };
  return json.dump(1) + "\n";
}

SaveFacts parse_save_facts(std::string_view json_text, const std::string& source) {
  const nlohmann::json json =
      nlohmann::json::parse(json_text, /*cb=*/nullptr, /*allow_exceptions=*/false);
  require(
      json.is_object(), "{} is not JSON: it is damaged or not the config.json of a save", source);
  const int version = take<int>(json, "format_version", source);
  require(version == kFactsVersion,
          "{} has format version {}, this program reads {}: use the program that wrote it",
          source,
          version,
          kFactsVersion);
  return {.program_version = take<std::string>(json, "program_version", source),
          .step = take<std::int64_t>(json, "step", source),
          .speakers = take<std::vector<std::string>>(json, "speakers", source),
          .mel_contract_hash = take<std::string>(json, "mel_contract_hash", source),
          .symbols = take<std::string>(json, "symbols", source),
          .config_yaml = take<std::string>(json, "config", source),
          .mel_mean = take<double>(json, "mel_mean", source),
          .mel_deviation = take<double>(json, "mel_deviation", source),
          .precision = take<std::string>(json, "precision", source),
          .threads = take<int>(json, "threads", source),
          .state_json = take<nlohmann::json>(json, "state", source).dump()};
}

}  // namespace xtts::checkpoint
