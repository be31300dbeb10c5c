#include "data/cache_records.h"

#include <bit>
#include <cstring>

#include "base/crc32c.h"

namespace myxtts::data {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the cache stores values in native byte order");

constexpr std::string_view kSegmentMagic = "myxttsML";
constexpr std::string_view kRecordMagic = "xREC";
constexpr std::size_t kSegmentCrcAt = 60;
constexpr std::size_t kRecordCrcAt = 124;
constexpr std::size_t kMemoPathAt = 40;
constexpr std::uint32_t kMaxChannels = 1024;  // as in validate(MelSpec)

template <typename T>
void put_at(char* bytes, std::size_t offset, const T& value) {
  std::memcpy(bytes + offset, &value, sizeof(value));
}

template <typename T>
T get_at(std::string_view bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

// Writes the checksum of a header into its last four bytes.
template <std::size_t size>
void seal(std::array<char, size>& bytes) {
  const std::size_t at = size - sizeof(std::uint32_t);
  put_at(bytes.data(), at, base::crc32c({bytes.data(), at}));
}

bool is_sealed(std::string_view bytes, std::string_view magic, std::size_t crc_at) {
  return bytes.starts_with(magic) &&
         base::crc32c(bytes.substr(0, crc_at)) == get_at<std::uint32_t>(bytes, crc_at);
}

// Returns whether the payload is a whole number of frames, at least one.
bool has_frames(const RecordHeader& header) {
  const std::uint64_t frame_bytes = header.n_mels * sizeof(float);
  return header.n_mels >= 1 && header.n_mels <= kMaxChannels && header.payload_bytes > 0 &&
         header.payload_bytes % frame_bytes == 0;
}

bool is_possible(const RecordHeader& header) {
  if (header.payload_bytes > kMaxSegmentBytes) return false;
  if (header.kind == RecordKind::kMel) return has_frames(header);
  return header.kind != RecordKind::kMemo || header.payload_bytes >= kMemoPathAt;
}

}  // namespace

SegmentHeaderBytes encode_segment_header(const base::Sha256& mel_key) {
  SegmentHeaderBytes bytes{};
  std::memcpy(bytes.data(), kSegmentMagic.data(), kSegmentMagic.size());
  put_at(bytes.data(), 8, kCacheVersion);
  put_at(bytes.data(), 16, mel_key);
  seal(bytes);
  return bytes;
}

RecordHeaderBytes encode(const RecordHeader& header) {
  RecordHeaderBytes bytes{};
  std::memcpy(bytes.data(), kRecordMagic.data(), kRecordMagic.size());
  put_at(bytes.data(), 4, header.kind);
  put_at(bytes.data(), 8, header.payload_bytes);
  put_at(bytes.data(), 16, header.content);
  put_at(bytes.data(), 48, header.durations.recording_s);
  put_at(bytes.data(), 56, header.durations.speech_s);
  put_at(bytes.data(), 64, header.n_mels);
  put_at(bytes.data(), 120, header.payload_crc);
  seal(bytes);
  return bytes;
}

std::string encode_payload(const Memo& memo) {
  std::string bytes(kMemoPathAt, '\0');
  put_at(bytes.data(), 0, memo.stamp.size);
  put_at(bytes.data(), 8, memo.stamp.mtime_ns);
  put_at(bytes.data(), 16, memo.stamp.ctime_ns);
  put_at(bytes.data(), 24, memo.stamp.inode);
  put_at(bytes.data(), 32, memo.stamp.device);
  return bytes + memo.path;
}

std::optional<base::Sha256> decode_segment_header(std::string_view bytes) {
  if (bytes.size() < kSegmentHeaderBytes || !is_sealed(bytes, kSegmentMagic, kSegmentCrcAt) ||
      get_at<std::uint32_t>(bytes, 8) != kCacheVersion) {
    return std::nullopt;
  }
  return get_at<base::Sha256>(bytes, 16);
}

std::optional<RecordHeader> decode_record_header(std::string_view bytes) {
  if (bytes.size() < kRecordHeaderBytes || !is_sealed(bytes, kRecordMagic, kRecordCrcAt)) {
    return std::nullopt;
  }
  const RecordHeader header{.kind = static_cast<RecordKind>(get_at<std::uint32_t>(bytes, 4)),
                            .payload_bytes = get_at<std::uint64_t>(bytes, 8),
                            .content = get_at<base::Sha256>(bytes, 16),
                            .durations = {.recording_s = get_at<double>(bytes, 48),
                                          .speech_s = get_at<double>(bytes, 56)},
                            .n_mels = get_at<std::uint32_t>(bytes, 64),
                            .payload_crc = get_at<std::uint32_t>(bytes, 120)};
  if (!is_possible(header)) return std::nullopt;
  return header;
}

std::optional<Memo> decode_memo(const RecordHeader& header, std::string_view payload) {
  if (payload.size() < kMemoPathAt || base::crc32c(payload) != header.payload_crc) {
    return std::nullopt;
  }
  return Memo{.path = std::string(payload.substr(kMemoPathAt)),
              .stamp = {.size = get_at<std::int64_t>(payload, 0),
                        .mtime_ns = get_at<std::int64_t>(payload, 8),
                        .ctime_ns = get_at<std::int64_t>(payload, 16),
                        .inode = get_at<std::uint64_t>(payload, 24),
                        .device = get_at<std::uint64_t>(payload, 32)},
              .content = header.content};
}

std::uint64_t record_bytes(std::uint64_t payload_bytes) {
  const std::uint64_t bytes = kRecordHeaderBytes + payload_bytes;
  return (bytes + kRecordAlignment - 1) / kRecordAlignment * kRecordAlignment;
}

}  // namespace myxtts::data
