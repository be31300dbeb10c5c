// In-memory index of the feature cache.
#pragma once

#include <atomic>
#include <cstring>
#include <deque>
#include <filesystem>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "data/cache_segment.h"

namespace myxtts::data {

// A mel in a segment. Its address is stable for the lifetime of the index.
struct CachedMel {
  enum class State { kUnverified, kIntact, kDamaged };

  const CacheSegment* segment = nullptr;
  StoredMel stored;
  CachedMel* older = nullptr;  // mel of the same content that was found earlier
  std::atomic<State> state = State::kUnverified;
};

// Maps audio contents to mels, and file stamps to contents. Thread-safe; lookups run concurrently
// and do not allocate.
class CacheIndex {
 public:
  void add(const CacheSegment& segment, const ScanResult& found);
  void add(Memo memo);

  // Returns the content hash of a file if a memo has exactly this stamp.
  std::optional<base::Sha256> content_of(const std::filesystem::path& path,
                                         const FileStamp& stamp) const;

  // Returns the newest mel of a content, or nullptr. It may be damaged; see CachedMel::older.
  CachedMel* find(const base::Sha256& content) const;

  // Returns whether there is a mel that is not known to be damaged.
  bool holds(const base::Sha256& content) const;

 private:
  // A SHA-256 digest needs no further hashing.
  struct FirstBytes {
    std::size_t operator()(const base::Sha256& digest) const {
      std::size_t value = 0;
      std::memcpy(&value, digest.data(), sizeof(value));
      return value;
    }
  };
  struct FileContent {
    FileStamp stamp;
    base::Sha256 content{};
  };

  mutable std::shared_mutex mutex_;
  std::deque<CachedMel> mels_;
  std::unordered_map<base::Sha256, CachedMel*, FirstBytes> by_content_;
  std::unordered_map<std::string, FileContent> by_path_;
};

}  // namespace myxtts::data
