// The byte format of the feature cache, version 1.
//
// A segment is a header of 64 bytes followed by records, each aligned to 64 bytes. Segments are
// only appended to. All numbers are little-endian; unnamed bytes are zero.
//
//   segment   0  8  "myxttsML"              record   0  4  "xREC"
//             8  4  version                          4  4  kind: 1 mel, 2 memo
//            16 32  SHA-256 of the mel key           8  8  bytes of the payload that follows
//            60  4  CRC32C of bytes 0 to 59         16 32  SHA-256 of the audio file
//                                                   48  8  mel: seconds of the recording, float64
//   payload of a mel: [M, C] float32                56  8  mel: seconds after trimming, float64
//   payload of a memo:                              64  4  mel: C
//     0 40  size, mtime, ctime, inode, device      120  4  CRC32C of the payload
//    40  -  path                                   124  4  CRC32C of bytes 0 to 123
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.h"
#include "data/audio_file.h"

namespace myxtts::data {

inline constexpr std::uint32_t kCacheVersion = 1;
inline constexpr std::size_t kSegmentHeaderBytes = 64;
inline constexpr std::size_t kRecordHeaderBytes = 128;
inline constexpr std::size_t kRecordAlignment = 64;
// Maximum size of a segment. Readers map this much, so that a growing segment is mapped once.
inline constexpr std::uint64_t kMaxSegmentBytes = std::uint64_t{256} << 20U;

enum class RecordKind : std::uint32_t { kMel = 1, kMemo = 2 };

// Durations of a recording, stored with its mel.
struct RecordingDurations {
  double recording_s = 0.0;  // as decoded
  double speech_s = 0.0;     // after trimming

  bool operator==(const RecordingDurations&) const = default;
};

struct RecordHeader {
  RecordKind kind = RecordKind::kMel;  // unknown kinds are skipped
  std::uint64_t payload_bytes = 0;
  base::Sha256 content{};
  RecordingDurations durations;
  std::uint32_t n_mels = 0;
  std::uint32_t payload_crc = 0;

  bool operator==(const RecordHeader&) const = default;
};

// Records that a file with this stamp had this content.
struct Memo {
  std::string path;
  FileStamp stamp;
  base::Sha256 content{};
};

using SegmentHeaderBytes = std::array<char, kSegmentHeaderBytes>;
using RecordHeaderBytes = std::array<char, kRecordHeaderBytes>;

SegmentHeaderBytes encode_segment_header(const base::Sha256& mel_key);
RecordHeaderBytes encode(const RecordHeader& header);
std::string encode_payload(const Memo& memo);

// Returns the hash of the mel key; nullopt if this is no header of this version. Never throws.
std::optional<base::Sha256> decode_segment_header(std::string_view bytes);

// Returns nullopt for too few bytes, a wrong checksum or impossible sizes.
std::optional<RecordHeader> decode_record_header(std::string_view bytes);

// Returns nullopt if the checksum of the payload differs from the header.
std::optional<Memo> decode_memo(const RecordHeader& header, std::string_view payload);

// Returns the size of a record in its segment, with header and padding.
std::uint64_t record_bytes(std::uint64_t payload_bytes);

}  // namespace myxtts::data
