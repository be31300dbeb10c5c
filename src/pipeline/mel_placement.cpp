#include "pipeline/mel_placement.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>

#include "audio/mel_contract.h"
#include "base/cpu_features.h"
#include "base/error.h"
#include "base/memory.h"

namespace xtts::pipeline {
namespace {

constexpr double kShareForMels = 0.25;  // of the memory that is free
// Bytes of mel per byte of recording, at most: of 32 kbit/s MP3, 27.5 kB of mel to 4 kB a second.
constexpr double kMostMelPerAudio = 8.0;

// What decides the bits of a mel: the contract, and how loudness and mel round on this processor
// (audio/fast_loudness.h, audio/fast_mel.h). The number is to be raised when they begin to round
// otherwise.
std::string bits_of_mels(const config::Config& config) {
  const std::vector<std::string> features = base::cpu_features();
  const bool is_fused = std::ranges::find(features, "avx2") != features.end() ||
                        std::ranges::find(features, "neon") != features.end();
  return fmt::format("{} fast 2 {}",
                     audio::contract_hash(audio::mel_contract_of(config)),
                     is_fused ? "fused" : "unfused");
}

std::shared_ptr<FeatureCache> open_cache(const config::Config& config,
                                         const std::function<void(const std::string&)>& on_notice) {
  const std::optional<std::int64_t> limit = base::parse_bytes(config.data.cache_limit);
  require_usage(limit.has_value(),
                "data.cache_limit is '{}', must be a size such as 800MB or 20GB",
                config.data.cache_limit);
  return std::make_shared<FeatureCache>(
      CacheSettings{.folder = cache_folder_of(config.data),
                    .contract = bits_of_mels(config),
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
                          const std::function<void(const std::string&)>& on_notice) {
  const std::string& kind = config.data.feature_cache;
  if (kind == "ram") return {};
  if (kind == "off") return {.memory_bytes = 0.0, .cache = nullptr};
  if (kind == "disk") return {.memory_bytes = 0.0, .cache = open_cache(config, on_notice)};
  MelPlacement placement{.memory_bytes = kShareForMels * free_bytes, .cache = nullptr};
  const bool may_overflow = kMostMelPerAudio * audio_bytes > placement.memory_bytes;
  if (may_overflow && config.data.enable_memory_mapping) {
    try {
      placement.cache = open_cache(config, on_notice);
    } catch (const UserError& error) {
      on_notice(
          fmt::format("no cache on disk, mels that memory has no room for are computed "
                      "whenever used: {}",
                      error.what()));
    }
  }
  return placement;
}

}  // namespace xtts::pipeline
