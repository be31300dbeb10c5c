// Log-mels on disk, shared by all runs.
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
#include "data/audio_file.h"
#include "data/cache_folder.h"
#include "data/cache_index.h"
#include "data/cache_segment.h"

namespace myxtts::data {

struct CacheSettings {
  std::filesystem::path folder;
  std::string mel_key;            // audio::mel_fingerprint() and the name of the mel extractor
  std::uint64_t limit_bytes = 0;  // of all segments in the folder, of any process

  // Receives warnings as sentences, each kind once. Called on any thread that uses the cache.
  std::function<void(const std::string&)> on_notice;
};

// A mel in the cache, [M, C], with the durations of its recording.
struct MelView {
  std::int64_t num_frames = 0;
  int n_mels = 0;
  std::span<const float> values;  // memory-mapped; valid for the lifetime of the cache
  RecordingDurations durations;
};

struct CacheCounts {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;   // files that were read and had no mel in the cache
  std::uint64_t damaged = 0;  // damaged records, which are not used
  std::uint64_t bytes_held = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t limit_bytes = 0;
  bool has_stopped = false;  // no more mels are added: limit reached or write error
};

// Stores log-mels on disk by audio content and mel key, for any number of concurrent runs
// (docs/en/cache.md).
//
//   if (auto mel = cache.find(path)) ...                  // unchanged file: not read
//   else {
//     AudioFile file = read_audio_file(path, limit);
//     if (auto mel = cache.find(file)) ...                // known content under a new path
//     else cache.add(file, mel_of(file.read.bytes), durations);
//   }
//
// A damaged record is a miss. A full disk or a reached limit stops the adding with a notice;
// finding continues. Thread-safe; a view needs no lock.
class FeatureCache {
 public:
  // Creates the folder if it is absent. Throws UserError if it cannot be created or read.
  explicit FeatureCache(CacheSettings settings);
  FeatureCache(const FeatureCache&) = delete;
  FeatureCache& operator=(const FeatureCache&) = delete;

  // Returns the mel of a file whose stamp is known. Otherwise returns nullopt, which counts as no
  // miss: the caller reads the file and calls find(file). Does not allocate.
  std::optional<MelView> find(const std::filesystem::path& path);

  // Returns the mel of the content of a file, and remembers its path and stamp.
  std::optional<MelView> find(const AudioFile& file);

  // Adds the mel of exactly these bytes, unless the cache has one.
  void add(const AudioFile& file, const audio::Mel& mel, const RecordingDurations& durations);

  // Finds the records that other runs have written since.
  void refresh();

  CacheCounts counts() const;

 private:
  enum Notice { kDamage, kStopped, kUnusable, kTooLarge, kNumNotices };

  std::optional<MelView> view_of(const base::Sha256& content);
  bool is_usable(CachedMel& mel);
  void remember(const AudioFile& file);
  void write(const RecordHeader& header, std::string_view payload);
  bool has_room(std::uint64_t bytes);
  CacheSegment* segment_for(std::uint64_t bytes);
  void open_segment(const std::string& name);
  void index_new_records(CacheSegment& segment);
  void count_damage(std::uint64_t count);
  void stop(const std::string& reason);
  void notify_once(Notice kind, const std::string& message);

  const CacheSettings settings_;
  const base::Sha256 mel_key_;
  const std::uint64_t segment_bytes_;  // size at which a new segment is started
  CacheFolder folder_;

  std::mutex change_;  // guards writing and the four members below
  std::vector<std::unique_ptr<CacheSegment>> segments_;
  CacheSegment* writing_ = nullptr;
  std::uint64_t folder_bytes_ = 0;   // at the last count, plus what was written since
  std::uint64_t counted_bytes_ = 0;  // value of written_ at the last count

  CacheIndex index_;
  std::atomic<bool> stopped_ = false;  // no more mels are added
  std::atomic<std::uint64_t> hits_ = 0;
  std::atomic<std::uint64_t> misses_ = 0;
  std::atomic<std::uint64_t> damaged_ = 0;
  std::atomic<std::uint64_t> held_ = 0;
  std::atomic<std::uint64_t> written_ = 0;
  std::array<std::atomic<bool>, kNumNotices> notified_{};
};

}  // namespace myxtts::data
