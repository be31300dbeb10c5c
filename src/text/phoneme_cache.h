#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace myxtts::text {

// A cache of phonemes with a memory limit. Thread-safe.
//
// Approximates LRU with two generations: when the young one reaches half of the limit, it replaces
// the old one. A hit in the old generation moves the entry to the young one.
class PhonemeCache {
 public:
  explicit PhonemeCache(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}

  std::optional<std::string> find(const std::string& piece);
  void insert(const std::string& piece, const std::string& phonemes);

  std::size_t size_bytes() const;  // of keys and values; at most the limit

 private:
  using Generation = std::unordered_map<std::string, std::string>;
  void insert_locked(const std::string& piece, const std::string& phonemes);

  const std::size_t limit_bytes_;
  mutable std::mutex mutex_;
  Generation young_;             // guarded by mutex_
  Generation old_;               // guarded by mutex_
  std::size_t young_bytes_ = 0;  // guarded by mutex_
  std::size_t old_bytes_ = 0;    // guarded by mutex_
};

}  // namespace myxtts::text
