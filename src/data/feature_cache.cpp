#include "data/feature_cache.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/crc32c.h"
#include "base/error.h"

namespace myxtts::data {
namespace {

// Minimum number of segments in a full cache, so that removing one costs little.
constexpr std::uint64_t kSegmentsInLimit = 16;
constexpr std::uint64_t kMinSegmentBytes = std::uint64_t{256} << 10U;
// The folder is measured again after this fraction of the limit, as other runs write too.
constexpr std::uint64_t kCountsInLimit = 64;

std::string format_errno(int error) {
  return std::error_code(error, std::generic_category()).message() + "; continuing without it";
}

std::string_view bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

}  // namespace

FeatureCache::FeatureCache(CacheSettings settings)
    : settings_(std::move(settings)),
      mel_key_(base::sha256(settings_.mel_key)),
      segment_bytes_(
          std::clamp(settings_.limit_bytes / kSegmentsInLimit, kMinSegmentBytes, kMaxSegmentBytes)),
      folder_(settings_.folder) {
  for (const CacheFolder::Member& member : folder_.members()) {
    if (member.version < kCacheVersion) folder_.remove_unused(member.name);
  }
  folder_bytes_ = folder_.make_room(0, settings_.limit_bytes);
  refresh();
}

std::optional<MelView> FeatureCache::find(const std::filesystem::path& path) {
  const std::optional<FileStamp> stamp = stamp_of(path);
  if (!stamp) return std::nullopt;
  const std::optional<base::Sha256> content = index_.content_of(path, *stamp);
  return content ? view_of(*content) : std::nullopt;
}

std::optional<MelView> FeatureCache::find(const AudioFile& file) {
  invariant(file.ok(), "a file that could not be read has no mel");
  const std::optional<MelView> view = view_of(file.content);
  if (!view) {
    misses_.fetch_add(1, std::memory_order_relaxed);
    return std::nullopt;
  }
  const std::scoped_lock lock(change_);
  remember(file);
  return view;
}

void FeatureCache::add(const AudioFile& file,
                       const audio::Mel& mel,
                       const RecordingDurations& durations) {
  invariant(
      file.ok() && mel.num_frames > 0 && std::ssize(mel.values) == mel.num_frames * mel.n_mels,
      "a mel of a file that was read has frames and all their values");
  const std::string_view payload = bytes_of(mel.values);
  const RecordHeader header{.kind = RecordKind::kMel,
                            .payload_bytes = payload.size(),
                            .content = file.content,
                            .durations = durations,
                            .n_mels = static_cast<std::uint32_t>(mel.n_mels),
                            .payload_crc = base::crc32c(payload)};
  const std::scoped_lock lock(change_);
  if (!index_.holds(file.content)) write(header, payload);
  remember(file);
}

void FeatureCache::refresh() {
  const std::scoped_lock lock(change_);
  for (const CacheFolder::Member& member : folder_.members()) {
    const auto has_name = [&](const auto& segment) { return segment->name() == member.name; };
    if (member.version == kCacheVersion && std::ranges::none_of(segments_, has_name)) {
      open_segment(member.name);
    }
  }
  for (const auto& segment : segments_)
    index_new_records(*segment);
}

CacheCounts FeatureCache::counts() const {
  return {.hits = hits_,
          .misses = misses_,
          .damaged = damaged_,
          .bytes_held = held_,
          .bytes_written = written_,
          .limit_bytes = settings_.limit_bytes,
          .has_stopped = stopped_};
}

std::optional<MelView> FeatureCache::view_of(const base::Sha256& content) {
  for (CachedMel* mel = index_.find(content); mel != nullptr; mel = mel->older) {
    if (!is_usable(*mel)) continue;
    const RecordHeader& header = mel->stored.header;
    const auto* values =
        reinterpret_cast<const float*>(mel->segment->bytes_at(mel->stored.payload_at));
    const std::size_t num_values = header.payload_bytes / sizeof(float);
    mel->segment->mark_used();
    hits_.fetch_add(1, std::memory_order_relaxed);
    return MelView{.num_frames = static_cast<std::int64_t>(num_values / header.n_mels),
                   .n_mels = static_cast<int>(header.n_mels),
                   .values = {values, num_values},
                   .durations = header.durations};
  }
  return std::nullopt;
}

bool FeatureCache::is_usable(CachedMel& mel) {
  using enum CachedMel::State;
  const CachedMel::State state = mel.state.load(std::memory_order_acquire);
  if (state == kDamaged) return false;
  const bool good =
      state == kIntact
          ? mel.segment->reaches(mel.stored.payload_at + mel.stored.header.payload_bytes)
          : mel.segment->is_intact(mel.stored);
  CachedMel::State unverified = kUnverified;  // another thread may have verified it first
  if (good && state != kIntact) mel.state.compare_exchange_strong(unverified, kIntact);
  if (!good && mel.state.exchange(kDamaged) != kDamaged) count_damage(1);
  return good;
}

void FeatureCache::remember(const AudioFile& file) {
  if (!file.stamp || index_.content_of(file.path, *file.stamp) == file.content) return;
  Memo memo{.path = file.path.string(), .stamp = *file.stamp, .content = file.content};
  const std::string payload = encode_payload(memo);
  index_.add(std::move(memo));
  write({.kind = RecordKind::kMemo,
         .payload_bytes = payload.size(),
         .content = file.content,
         .durations = {},
         .n_mels = 0,
         .payload_crc = base::crc32c(payload)},
        payload);
}

void FeatureCache::write(const RecordHeader& header, std::string_view payload) {
  const std::uint64_t bytes = record_bytes(payload.size());
  if (stopped_) return;
  if (kSegmentHeaderBytes + bytes > kMaxSegmentBytes) {
    notify_once(
        kTooLarge,
        fmt::format("a mel of {} bytes is too large for the feature cache", payload.size()));
    return;
  }
  if (!has_room(bytes + kSegmentHeaderBytes)) {
    stop(fmt::format(
        "the limit of {} bytes is reached and all segments are in use; increase the limit, or "
        "remove the folder",
        settings_.limit_bytes));
    return;
  }
  CacheSegment* const segment = segment_for(bytes);
  if (segment == nullptr) return;
  if (const int error = segment->append(header, payload); error != 0) {
    stop(format_errno(error));
    return;
  }
  folder_bytes_ += bytes;
  written_.fetch_add(bytes, std::memory_order_relaxed);
  index_new_records(*segment);
}

bool FeatureCache::has_room(std::uint64_t bytes) {
  const std::uint64_t limit = settings_.limit_bytes;
  const bool long_ago = written_ - counted_bytes_ >= limit / kCountsInLimit;
  if (long_ago || folder_bytes_ + bytes > limit) {
    folder_bytes_ = folder_.make_room(bytes, limit);
    counted_bytes_ = written_;
  }
  return folder_bytes_ + bytes <= limit;
}

CacheSegment* FeatureCache::segment_for(std::uint64_t bytes) {
  const auto fits = [&](const CacheSegment& one) { return one.bytes() + bytes <= segment_bytes_; };
  if (writing_ != nullptr && fits(*writing_)) return writing_;
  for (const auto& segment : segments_) {
    if (segment.get() != writing_ && fits(*segment) && segment->become_writer()) {
      return writing_ = segment.get();
    }
  }
  CacheSegment::Opened created = CacheSegment::create(folder_.descriptor(), mel_key_);
  if (!created.segment) {
    stop(format_errno(created.error));
    return nullptr;
  }
  folder_bytes_ += kSegmentHeaderBytes;
  held_ += kSegmentHeaderBytes;
  segments_.push_back(std::move(created.segment));
  return writing_ = segments_.back().get();
}

void FeatureCache::open_segment(const std::string& name) {
  using enum CacheSegment::Opened::Fault;
  CacheSegment::Opened opened = CacheSegment::open(folder_.descriptor(), name, mel_key_);
  if (opened.segment) {
    held_ += opened.segment->bytes();
    segments_.push_back(std::move(opened.segment));
  } else if (opened.fault == kEmpty) {
    folder_.remove_unused(name);
  } else if (opened.fault == kBroken) {
    if (folder_.remove_unused(name)) count_damage(1);
  } else if (opened.fault == kFailed) {
    notify_once(kUnusable,
                fmt::format("cannot open segment {} of the feature cache {}: {}",
                            name,
                            settings_.folder.string(),
                            format_errno(opened.error)));
  }
}

void FeatureCache::index_new_records(CacheSegment& segment) {
  const std::uint64_t before = segment.bytes();
  const ScanResult found = segment.scan();
  held_ += segment.bytes() - before;
  index_.add(segment, found);
  if (found.num_damaged > 0) count_damage(found.num_damaged);
}

void FeatureCache::count_damage(std::uint64_t count) {
  damaged_.fetch_add(count, std::memory_order_relaxed);
  notify_once(kDamage,
              fmt::format("the feature cache {} has damaged records; their mels are computed again",
                          settings_.folder.string()));
}

void FeatureCache::stop(const std::string& reason) {
  stopped_ = true;
  notify_once(
      kStopped,
      fmt::format(
          "no more mels are added to the feature cache {}: {}", settings_.folder.string(), reason));
}

void FeatureCache::notify_once(Notice kind, const std::string& message) {
  if (!notified_.at(kind).exchange(true) && settings_.on_notice) settings_.on_notice(message);
}

}  // namespace myxtts::data
