#include "text/phoneme_cache.h"

#include <utility>

namespace myxtts::text {

std::optional<std::string> PhonemeCache::find(const std::string& piece) {
  const std::lock_guard lock(mutex_);
  if (const auto found = young_.find(piece); found != young_.end()) return found->second;
  const auto found = old_.find(piece);
  if (found == old_.end()) return std::nullopt;
  std::string phonemes = found->second;
  insert_locked(piece, phonemes);
  return phonemes;
}

void PhonemeCache::insert(const std::string& piece, const std::string& phonemes) {
  const std::lock_guard lock(mutex_);
  insert_locked(piece, phonemes);
}

std::size_t PhonemeCache::size_bytes() const {
  const std::lock_guard lock(mutex_);
  return young_bytes_ + old_bytes_;
}

void PhonemeCache::insert_locked(const std::string& piece, const std::string& phonemes) {
  const std::size_t num_bytes = piece.size() + phonemes.size();
  if (num_bytes > limit_bytes_ / 2) return;
  if (young_bytes_ + num_bytes > limit_bytes_ / 2) {
    old_ = std::exchange(young_, {});
    old_bytes_ = std::exchange(young_bytes_, 0);
  }
  if (young_.emplace(piece, phonemes).second) young_bytes_ += num_bytes;
}

}  // namespace myxtts::text
