// The bytes of the feature cache, version 1.
//
// A segment is a header of 64 bytes and records behind it, each beginning at a multiple of 64.
// Bytes are only ever appended. All numbers are little-endian; what is not named is zero.
//
//   segment   0  8  "myxttsML"              record   0  4  "xREC"
//             8  4  version                          4  4  kind: 1 mel, 2 memo
//            16 32  SHA-256 of the contract          8  8  bytes of the payload, which follows
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
#include "pipeline/audio_file.h"

namespace xtts::pipeline {

inline constexpr std::uint32_t kCacheVersion = 1;
inline constexpr std::size_t kSegmentHeaderBytes = 64;
inline constexpr std::size_t kRecordHeaderBytes = 128;
inline constexpr std::size_t kRecordAlignment = 64;
// No segment is larger. Readers map as much, so that one which grows need not be mapped again.
inline constexpr std::uint64_t kMaxSegmentBytes = std::uint64_t{256} << 20U;

enum class RecordKind : std::uint32_t { kMel = 1, kMemo = 2 };

// What a loader knows of a recording beside its mel.
struct MelFacts {
  double recording_s = 0.0;  // as decoded
  double speech_s = 0.0;     // after trimming

  bool operator==(const MelFacts&) const = default;
};

struct RecordHeader {
  RecordKind kind = RecordKind::kMel;  // one that is not listed is passed over
  std::uint64_t payload_bytes = 0;
  base::Sha256 content{};
  MelFacts facts;
  std::uint32_t n_mels = 0;
  std::uint32_t payload_crc = 0;

  bool operator==(const RecordHeader&) const = default;
};

// Says that a file had this content when it had this stamp.
struct Memo {
  std::string path;
  FileStamp stamp;
  base::Sha256 content{};
};

using SegmentHeaderBytes = std::array<char, kSegmentHeaderBytes>;
using RecordHeaderBytes = std::array<char, kRecordHeaderBytes>;

SegmentHeaderBytes encode_segment_header(const base::Sha256& contract);
RecordHeaderBytes encode(const RecordHeader& header);
std::string encode_payload(const Memo& memo);

// The contract of a segment; nothing if this is no header of this version. Never throws.
std::optional<base::Sha256> decode_segment_header(std::string_view bytes);

// Nothing for fewer bytes than a header has, a wrong checksum, or sizes that cannot be.
std::optional<RecordHeader> decode_record_header(std::string_view bytes);

// Nothing for a payload with another checksum than the header's.
std::optional<Memo> decode_memo(const RecordHeader& header, std::string_view payload);

// What a record takes in its segment, with header and padding.
std::uint64_t record_bytes(std::uint64_t payload_bytes);

}  // namespace xtts::pipeline
