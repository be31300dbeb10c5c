#include "data/cache_index.h"

#include <mutex>
#include <utility>

namespace myxtts::data {

void CacheIndex::add(const CacheSegment& segment, const ScanResult& found) {
  const std::unique_lock lock(mutex_);
  for (const StoredMel& stored : found.mels) {
    CachedMel& mel = mels_.emplace_back();
    mel.segment = &segment;
    mel.stored = stored;
    mel.older = std::exchange(by_content_[stored.header.content], &mel);
  }
  for (const Memo& memo : found.memos)
    by_path_[memo.path] = {.stamp = memo.stamp, .content = memo.content};
}

void CacheIndex::add(Memo memo) {
  const std::unique_lock lock(mutex_);
  by_path_[std::move(memo.path)] = {.stamp = memo.stamp, .content = memo.content};
}

std::optional<base::Sha256> CacheIndex::content_of(const std::filesystem::path& path,
                                                   const FileStamp& stamp) const {
  const std::shared_lock lock(mutex_);
  const auto entry = by_path_.find(path.native());
  if (entry == by_path_.end() || entry->second.stamp != stamp) return std::nullopt;
  return entry->second.content;
}

CachedMel* CacheIndex::find(const base::Sha256& content) const {
  const std::shared_lock lock(mutex_);
  const auto entry = by_content_.find(content);
  return entry == by_content_.end() ? nullptr : entry->second;
}

bool CacheIndex::holds(const base::Sha256& content) const {
  const CachedMel* mel = find(content);
  while (mel != nullptr && mel->state == CachedMel::State::kDamaged)
    mel = mel->older;
  return mel != nullptr;
}

}  // namespace myxtts::data
