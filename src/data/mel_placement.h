// Decides where the mels of a run are kept: in memory, in the disk cache, or nowhere.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "config/config.h"
#include "data/features.h"

namespace myxtts::data {

// Resolves data.feature_cache for `audio_bytes` of recordings and `free_bytes` of free memory:
//
//   ram   all mels in memory
//   disk  all mels in the disk cache
//   off   none: computed at each read
//   auto  mels in memory up to a quarter of the free memory, the rest in the disk cache, which is
//         opened only if the mels may exceed that
//
// `extractor` computes the mels; null: FastMel. The cache separates the mels of different
// extractors. `on_notice` receives the notices of the cache. Throws UserError if the cache folder
// of `disk` cannot be used, UsageError if data.cache_limit is not a size.
MelPlacement placement_of(const config::Config& config,
                          double audio_bytes,
                          double free_bytes,
                          const std::function<void(const std::string&)>& on_notice,
                          std::shared_ptr<const MelExtractor> extractor = nullptr);

// Returns data.cache_dir, or myxtts/features in the user's cache folder.
std::filesystem::path cache_folder_of(const config::DataConfig& data);

// Returns the total size of the audio files of a corpus. Missing files count as 0.
double audio_bytes_of(const corpus::Corpus& corpus);

}  // namespace myxtts::data
