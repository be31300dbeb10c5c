#include "checkpoint/checkpoint_metadata.h"

#include <limits>
#include <type_traits>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace xtts::checkpoint {
namespace {

constexpr int kFactsVersion = 1;
constexpr int kMaxFactsDepth = 16;  // of nesting; what is deeper would be written with recursion

// nlohmann would take 1.5 or true for a count.
template <typename Value>
bool is_exactly(const nlohmann::json& value) {
  if constexpr (std::is_integral_v<Value>) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<Value>::max());
    return value.is_number_unsigned() && value.get<std::uint64_t>() <= kMost;
  } else if constexpr (std::is_floating_point_v<Value>) {
    return value.is_number();
  } else {
    return true;
  }
}

// The value of a key that must be there, with the type that is read.
template <typename Value>
Value take(const nlohmann::json& facts, const char* key, const std::string& source) {
  const auto found = facts.find(key);
  require(found != facts.end(), "{} has no '{}': it is not the config.json of a save", source, key);
  try {
    if (is_exactly<Value>(*found)) return found->get<Value>();
  } catch (const nlohmann::json::exception&) {  // another type: said below
  }
  throw UserError(
      fmt::format("{}: '{}' is {}, not what a save holds there", source, key, found->type_name()));
}

}  // namespace

std::string to_json_text(const CheckpointMetadata& facts) {
  const nlohmann::ordered_json json = {
      {"format_version", kFactsVersion},
      {"kind", facts.kind},
      {"program_version", facts.program_version},
      {"step", facts.step},
      {"speakers", facts.speakers},
      {"mel_spec_fingerprint", facts.mel_spec_fingerprint},
      {"mel_mean", facts.mel_mean},
      {"mel_std", facts.mel_std},
      {"precision", facts.precision},
      {"threads", facts.threads},
      {"symbols", facts.symbols},
      {"config", facts.config_yaml},
      {"state", nlohmann::ordered_json::parse(facts.state_json)},
  };
  return json.dump(1) + "\n";
}

CheckpointMetadata parse_checkpoint_metadata(std::string_view json_text,
                                             const std::string& source) {
  const auto check_depth = [&](int depth, auto /*event*/, auto& /*parsed*/) {
    require(depth <= kMaxFactsDepth, "{} is nested deeper than {} levels", source, kMaxFactsDepth);
    return true;
  };
  const nlohmann::json json =
      nlohmann::json::parse(json_text, check_depth, /*allow_exceptions=*/false);
  require(
      json.is_object(), "{} is not JSON: it is damaged or not the config.json of a save", source);
  const int version = take<int>(json, "format_version", source);
  require(version == kFactsVersion,
          "{} has format version {}, this program reads {}: use the program that wrote it",
          source,
          version,
          kFactsVersion);
  const nlohmann::json state = take<nlohmann::json::object_t>(json, "state", source);
  return {.kind = json.contains("kind") ? take<std::string>(json, "kind", source) : kVoiceKind,
          .program_version = take<std::string>(json, "program_version", source),
          .step = take<std::int64_t>(json, "step", source),
          .speakers = take<std::vector<std::string>>(json, "speakers", source),
          .mel_spec_fingerprint = take<std::string>(json, "mel_spec_fingerprint", source),
          .symbols = take<std::string>(json, "symbols", source),
          .config_yaml = take<std::string>(json, "config", source),
          .mel_mean = take<double>(json, "mel_mean", source),
          .mel_std = take<double>(json, "mel_std", source),
          .precision = take<std::string>(json, "precision", source),
          .threads = take<int>(json, "threads", source),
          .state_json = state.dump()};
}

}  // namespace xtts::checkpoint
