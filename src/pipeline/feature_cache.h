#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audio/mel.h"
#include "pipeline/audio_file.h"
#include "pipeline/cache_folder.h"
#include "pipeline/cache_index.h"
#include "pipeline/cache_segment.h"

namespace xtts::pipeline {

struct CacheSettings {
  std::filesystem::path folder;
  std::string contract;           // audio::mel_fingerprint(), and whatever else decides the numbers
  std::uint64_t limit_bytes = 0;  // of all that the folder holds, whoever wrote it

  // Something a person should know, a sentence; each kind once. From any thread that calls in.
  std::function<void(const std::string&)> on_notice;
};

// A mel in the cache: [M, C], frame after frame, and what is known of its recording.
struct MelView {
  std::int64_t num_frames = 0;
  int n_mels = 0;
  std::span<const float> values;  // mapped; valid as long as the cache
  MelFacts facts;
};

struct CacheCounts {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;   // files that were read and whose mel was not there
  std::uint64_t damaged = 0;  // records that were found damaged, and are not used
  std::uint64_t bytes_held = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t limit_bytes = 0;
  bool has_stopped = false;  // nothing more is added: the limit, or the disk
};

// Log-mels on disk, by the content of the audio file and the contract, for any number of runs at
// once (docs/en/cache.md).
//
//   if (auto mel = cache.find(path)) ...                  // the file is as it was: it is not read
//   else {
//     AudioFile file = read_audio_file(path, limit);
//     if (auto mel = cache.find(file)) ...                // known content in a new place
//     else cache.add(file, mel_of(file.read.bytes), facts);
//   }
//
// A damaged record is a miss. What cannot be written (full disk, limit reached) ends the adding,
// with a notice, and nothing else. Thread-safe; nothing is locked while a view is looked at.
class FeatureCache {
 public:
  // Makes the folder if it is absent. Throws UserError if it cannot be made or read.
  explicit FeatureCache(CacheSettings settings);
  FeatureCache(const FeatureCache&) = delete;
  FeatureCache& operator=(const FeatureCache&) = delete;

  // The mel of a file that has not changed since its content was noted; nothing if that is not
  // known, which is not counted: read the file and ask with it. Relative paths are noted as they
  // are. Allocates nothing.
  std::optional<MelView> find(const std::filesystem::path& path);

  // The mel of the bytes that were read. Notes the content of that file for next time.
  std::optional<MelView> find(const AudioFile& file);

  // Keeps the mel of exactly these bytes, unless one is there.
  void add(const AudioFile& file, const audio::Mel& mel, const MelFacts& facts);

  // Looks for what other runs have written since.
  void refresh();

  CacheCounts counts() const;

 private:
  enum Notice { kDamage, kStopped, kUnusable, kTooLarge, kNumNotices };

  std::optional<MelView> view_of(const base::Sha256& content);
  bool is_usable(CachedMel& mel);
  void note(const AudioFile& file);
  void write(const RecordHeader& header, std::string_view payload);
  bool has_room(std::uint64_t bytes);
  CacheSegment* segment_for(std::uint64_t bytes);
  void open_segment(const std::string& name);
  void index_news(CacheSegment& segment);
  void count_damage(std::uint64_t count);
  void stop(const std::string& reason);
  void say_once(Notice kind, const std::string& sentence);

  const CacheSettings settings_;
  const base::Sha256 contract_;
  const std::uint64_t segment_bytes_;  // when to begin a new segment
  CacheFolder folder_;

  std::mutex change_;  // of what is written and of which segments there are: the four below
  std::vector<std::unique_ptr<CacheSegment>> segments_;
  CacheSegment* writing_ = nullptr;
  std::uint64_t folder_bytes_ = 0;   // at the last count, and what was written here since
  std::uint64_t counted_bytes_ = 0;  // written when that was counted

  CacheIndex index_;
  std::atomic<bool> stopped_ = false;  // nothing more is added
  std::atomic<std::uint64_t> hits_ = 0;
  std::atomic<std::uint64_t> misses_ = 0;
  std::atomic<std::uint64_t> damaged_ = 0;
  std::atomic<std::uint64_t> held_ = 0;
  std::atomic<std::uint64_t> written_ = 0;
  std::array<std::atomic<bool>, kNumNotices> said_{};
};

}  // namespace xtts::pipeline
