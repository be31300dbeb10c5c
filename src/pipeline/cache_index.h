#pragma once

#include <atomic>
#include <cstring>
#include <deque>
#include <filesystem>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "pipeline/cache_segment.h"

namespace xtts::pipeline {

// A mel of some content, in one of the segments. It stays where it is as long as the index.
struct CachedMel {
  enum class State { kUnverified, kIntact, kDamaged };

  const CacheSegment* segment = nullptr;
  StoredMel stored;
  CachedMel* older = nullptr;  // another of the same content, found before this one
  std::atomic<State> state = State::kUnverified;
};

// What the segments hold: mels by content, contents by file. Thread-safe; lookups run beside each
// other and allocate nothing.
class CacheIndex {
 public:
  void add(const CacheSegment& segment, const SegmentNews& news);
  void add(Memo memo);

  // The content of a file, if it was noted when the file had this stamp.
  std::optional<base::Sha256> content_of(const std::filesystem::path& path,
                                         const FileStamp& stamp) const;

  // The newest mel of that content, or nullptr. Damaged ones are among them.
  CachedMel* find(const base::Sha256& content) const;

  // Is there one that is not known to be damaged?
  bool holds(const base::Sha256& content) const;

 private:
  // The digest is as good as chance already.
  struct FirstBytes {
    std::size_t operator()(const base::Sha256& digest) const {
      std::size_t value = 0;
      std::memcpy(&value, digest.data(), sizeof(value));
      return value;
    }
  };
  struct Noted {
    FileStamp stamp;
    base::Sha256 content{};
  };

  mutable std::shared_mutex mutex_;
  std::deque<CachedMel> mels_;
  std::unordered_map<base::Sha256, CachedMel*, FirstBytes> by_content_;
  std::unordered_map<std::string, Noted> by_path_;
};

}  // namespace xtts::pipeline
