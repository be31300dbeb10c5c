#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "config/config.h"
#include "pipeline/features.h"

namespace xtts::pipeline {

// What data.feature_cache comes to for recordings of `audio_bytes` in all, where `free_bytes` of
// memory are free:
//
//   ram   all mels in memory
//   disk  all in the cache on disk
//   off   none: computed whenever asked for
//   auto  in memory as far as a quarter of what is free goes, the others in the cache; which is not
//         opened if they cannot be that many
//
// `maker` is who makes them; null: FastMel. The cache keeps the mels of each apart.
// `on_notice` hears sentences of the cache. Throws UserError if its folder cannot be used and was
// asked for, UsageError if data.cache_limit is no size.
MelPlacement placement_of(const config::Config& config,
                          double audio_bytes,
                          double free_bytes,
                          const std::function<void(const std::string&)>& on_notice,
                          std::shared_ptr<const MelExtractor> maker = nullptr);

// data.cache_dir, or myxtts/features in the user's cache folder.
std::filesystem::path cache_folder_of(const config::DataConfig& data);

// Bytes of the files of a corpus's utterances; missing ones have none.
double audio_bytes_of(const corpus::Corpus& corpus);

}  // namespace xtts::pipeline
