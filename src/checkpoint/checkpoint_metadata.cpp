#include "checkpoint/checkpoint_metadata.h"

#include <limits>
#include <type_traits>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace myxtts::checkpoint {
namespace {

constexpr int kMetadataVersion = 1;
constexpr int kMaxMetadataDepth = 16;  // nlohmann::json writes nested values recursively

// Rejects 1.5 and true for an integer, which nlohmann::json would convert.
template <typename Value>
bool is_exactly(const nlohmann::json& value) {
  if constexpr (std::is_integral_v<Value>) {
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<Value>::max());
    return value.is_number_unsigned() && value.get<std::uint64_t>() <= kMax;
  } else if constexpr (std::is_floating_point_v<Value>) {
    return value.is_number();
  } else {
    return true;
  }
}

// Returns the value of a required key. Throws UserError if it is missing or has another type.
template <typename Value>
Value read_value(const nlohmann::json& metadata, const char* key, const std::string& source) {
  const auto found = metadata.find(key);
  require(found != metadata.end(),
          "{} has no '{}': it is not the config.json of a checkpoint",
          source,
          key);
  try {
    if (is_exactly<Value>(*found)) return found->get<Value>();
  } catch (const nlohmann::json::exception&) {  // wrong type, reported below
  }
  throw UserError(
      fmt::format("{}: '{}' is {}, expected another type or range: it is not the "
                  "config.json of a checkpoint",
                  source,
                  key,
                  found->type_name()));
}

}  // namespace

std::string to_json_text(const CheckpointMetadata& metadata) {
  const nlohmann::ordered_json json = {
      {"format_version", kMetadataVersion},
      {"kind", metadata.kind},
      {"program_version", metadata.program_version},
      {"step", metadata.step},
      {"speakers", metadata.speakers},
      {"mel_spec_fingerprint", metadata.mel_spec_fingerprint},
      {"mel_mean", metadata.mel_mean},
      {"mel_std", metadata.mel_std},
      {"precision", metadata.precision},
      {"threads", metadata.threads},
      {"symbols", metadata.symbols},
      {"config", metadata.config_yaml},
      {"state", nlohmann::ordered_json::parse(metadata.state_json)},
  };
  return json.dump(1) + "\n";
}

CheckpointMetadata parse_checkpoint_metadata(std::string_view json_text,
                                             const std::string& source) {
  const auto check_depth = [&](int depth, auto /*event*/, auto& /*parsed*/) {
    require(depth <= kMaxMetadataDepth,
            "{} is nested deeper than {} levels",
            source,
            kMaxMetadataDepth);
    return true;
  };
  const nlohmann::json json =
      nlohmann::json::parse(json_text, check_depth, /*allow_exceptions=*/false);
  require(json.is_object(),
          "{} is not JSON: it is damaged or not the config.json of a checkpoint",
          source);
  const int version = read_value<int>(json, "format_version", source);
  require(version == kMetadataVersion,
          "{} has format version {}, this program reads {}: use the program that wrote it",
          source,
          version,
          kMetadataVersion);
  const nlohmann::json state = read_value<nlohmann::json::object_t>(json, "state", source);
  return {
      .kind = json.contains("kind") ? read_value<std::string>(json, "kind", source) : kVoiceKind,
      .program_version = read_value<std::string>(json, "program_version", source),
      .step = read_value<std::int64_t>(json, "step", source),
      .speakers = read_value<std::vector<std::string>>(json, "speakers", source),
      .mel_spec_fingerprint = read_value<std::string>(json, "mel_spec_fingerprint", source),
      .symbols = read_value<std::string>(json, "symbols", source),
      .config_yaml = read_value<std::string>(json, "config", source),
      .mel_mean = read_value<double>(json, "mel_mean", source),
      .mel_std = read_value<double>(json, "mel_std", source),
      .precision = read_value<std::string>(json, "precision", source),
      .threads = read_value<int>(json, "threads", source),
      .state_json = state.dump()};
}

}  // namespace myxtts::checkpoint
