#include "data/mel_placement.h"

#include <cstdlib>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "audio/mel_spec.h"
#include "base/error.h"
#include "base/memory.h"

namespace myxtts::data {
namespace {

constexpr double kShareForMels = 0.25;  // of the free memory
// Maximum bytes of mel per byte of audio: 32 kbit/s MP3 has 4 kB, its mel 27.5 kB per second.
constexpr double kMaxMelPerAudio = 8.0;

std::shared_ptr<FeatureCache> open_cache(const config::Config& config,
                                         const std::function<void(const std::string&)>& on_notice,
                                         const MelExtractor& extractor) {
  const std::optional<std::int64_t> limit = base::parse_bytes(config.data.cache_limit);
  require_usage(limit.has_value(),
                "data.cache_limit is '{}', must be a size such as 800MB or 20GB",
                config.data.cache_limit);
  return std::make_shared<FeatureCache>(CacheSettings{
      .folder = cache_folder_of(config.data),
      .mel_key = fmt::format("{} {}", audio::mel_fingerprint(extractor.spec()), extractor.name()),
      .limit_bytes = static_cast<std::uint64_t>(*limit),
      .on_notice = on_notice});
}

}  // namespace

std::filesystem::path cache_folder_of(const config::DataConfig& data) {
  if (data.cache_dir) return *data.cache_dir;
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache != '\0') return std::filesystem::path(cache) / "myxtts/features";
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home != nullptr ? home : "/tmp") / ".cache/myxtts/features";
}

double audio_bytes_of(const corpus::Corpus& corpus) {
  double bytes = 0.0;
  for (const corpus::Utterance& utterance : corpus.utterances) {
    std::error_code error;
    const auto size = std::filesystem::file_size(corpus.root / utterance.audio, error);
    if (!error) bytes += static_cast<double>(size);
  }
  return bytes;
}

MelPlacement placement_of(const config::Config& config,
                          double audio_bytes,
                          double free_bytes,
                          const std::function<void(const std::string&)>& on_notice,
                          std::shared_ptr<const MelExtractor> extractor) {
  MelPlacement placement;
  placement.extractor =
      extractor ? std::move(extractor) : fast_mel_extractor(audio::mel_spec_of(config));
  const std::string& kind = config.data.feature_cache;
  if (kind == "ram") return placement;
  placement.memory_bytes = 0.0;
  if (kind == "off") return placement;
  if (kind == "disk") {
    placement.cache = open_cache(config, on_notice, *placement.extractor);
    return placement;
  }
  placement.memory_bytes = kShareForMels * free_bytes;
  const bool may_overflow = kMaxMelPerAudio * audio_bytes > placement.memory_bytes;
  if (may_overflow && config.data.enable_memory_mapping) {
    try {
      placement.cache = open_cache(config, on_notice, *placement.extractor);
    } catch (const UserError& error) {
      on_notice(
          fmt::format("no disk cache; mels that do not fit into memory are computed at "
                      "each read: {}",
                      error.what()));
    }
  }
  return placement;
}

}  // namespace myxtts::data
