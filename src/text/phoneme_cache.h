#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace xtts::text {

// Remembers what was pronounced, within a limit of memory. Thread-safe.
//
// Two generations: when the young one holds half of the limit it becomes the old one, and the old
// one is forgotten. What is asked for again moves to the young one, so it stays.
class PhonemeCache {
 public:
  explicit PhonemeCache(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}

  std::optional<std::string> find(const std::string& piece);
  void remember(const std::string& piece, const std::string& phonemes);

  std::size_t size_bytes() const;  // of keys and values; never above the limit

 private:
  using Generation = std::unordered_map<std::string, std::string>;
  void insert(const std::string& piece, const std::string& phonemes);

  const std::size_t limit_bytes_;
  mutable std::mutex mutex_;
  Generation young_;             // guarded by mutex_
  Generation old_;               // guarded by mutex_
  std::size_t young_bytes_ = 0;  // guarded by mutex_
  std::size_t old_bytes_ = 0;    // guarded by mutex_
};

}  // namespace xtts::text
