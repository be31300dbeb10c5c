// Test helpers for the feature cache.
#pragma once

#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "data/feature_cache.h"
#include "support/temp_dir.h"

namespace myxtts::data {

// Returns a mel of random bit patterns, including NaNs.
inline audio::Mel random_mel(std::uint64_t seed, std::int64_t num_frames, int n_mels = 4) {
  base::Random random(seed);
  audio::Mel mel{.num_frames = num_frames, .n_mels = n_mels, .values = {}};
  for (std::int64_t i = 0; i < num_frames * n_mels; ++i) {
    const auto bits = static_cast<std::uint32_t>(random.next());
    float value = 0.0F;
    std::memcpy(&value, &bits, sizeof(value));
    mel.values.push_back(value);
  }
  return mel;
}

inline RecordingDurations random_durations(std::uint64_t seed) {
  return {.recording_s = 1.0 + static_cast<double>(seed),
          .speech_s = 0.1 / (1.0 + static_cast<double>(seed))};
}

inline bool is_same(const std::optional<MelView>& view, const audio::Mel& mel) {
  return view && view->num_frames == mel.num_frames && view->n_mels == mel.n_mels &&
         view->values.size() == mel.values.size() &&
         std::memcmp(view->values.data(), mel.values.data(), mel.values.size() * sizeof(float)) ==
             0;
}

// Returns an AudioFile with these bytes and without a stamp; no file is written.
inline AudioFile unstamped_file(const std::string& bytes) {
  AudioFile file;
  file.path = bytes;
  file.read.bytes = bytes;
  file.content = base::sha256(bytes);
  return file;
}

// Reads a file as if it had last been changed long ago.
inline AudioFile read_old_file(const std::filesystem::path& path) {
  return read_audio_file(path, 1U << 20U, wall_clock_ns() + 60'000'000'000);
}

// A cache folder, in memory if possible, with the settings to open it.
class CacheRig {
 public:
  CacheSettings settings(std::uint64_t limit_bytes = std::uint64_t{1} << 30U) {
    return {.folder = folder(),
            .mel_key = "key",
            .limit_bytes = limit_bytes,
            .on_notice = [this](const std::string& notice) { notices.push_back(notice); }};
  }
  std::filesystem::path folder() const { return dir.path() / "cache"; }

  std::vector<std::filesystem::path> segments() const {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder()))
      paths.push_back(entry.path());
    return paths;
  }

  support::TempDir dir{support::in_memory_folder()};
  std::vector<std::string> notices;
};

}  // namespace myxtts::data
