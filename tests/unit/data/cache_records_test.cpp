#include "data/cache_records.h"

#include <gtest/gtest.h>

#include "base/crc32c.h"

namespace myxtts::data {
namespace {

template <std::size_t size>
std::string_view view_of_bytes(const std::array<char, size>& bytes) {
  return {bytes.data(), bytes.size()};
}

RecordHeader mel_header() {
  return {.kind = RecordKind::kMel,
          .payload_bytes = 3 * 80 * sizeof(float),
          .content = base::sha256("audio"),
          .durations = {.recording_s = 1.25, .speech_s = 1.0},
          .n_mels = 80,
          .payload_crc = 0x12345678};
}

TEST(CacheRecords, HeadersRoundTrip) {
  const base::Sha256 mel_key = base::sha256("contract");

  EXPECT_EQ(decode_segment_header(view_of_bytes(encode_segment_header(mel_key))), mel_key);
  EXPECT_EQ(decode_record_header(view_of_bytes(encode(mel_header()))), mel_header());
}

TEST(CacheRecords, MemosRoundTrip) {
  const Memo memo{.path = "/corpus/a.wav",
                  .stamp = {.size = 1, .mtime_ns = -2, .ctime_ns = 3, .inode = 4, .device = 5},
                  .content = base::sha256("audio")};
  const std::string payload = encode_payload(memo);
  const RecordHeader header{.kind = RecordKind::kMemo,
                            .payload_bytes = payload.size(),
                            .content = memo.content,
                            .durations = {},
                            .n_mels = 0,
                            .payload_crc = base::crc32c(payload)};

  const auto found = decode_memo(header, payload);

  ASSERT_TRUE(found);
  EXPECT_EQ(found->path, memo.path);
  EXPECT_EQ(found->stamp, memo.stamp);
  EXPECT_EQ(found->content, memo.content);
  EXPECT_FALSE(decode_memo(header, payload + "x"));
  EXPECT_FALSE(decode_memo(header, ""));
}

TEST(CacheRecords, BytesAreThoseOfVersionOne) {
  const RecordHeaderBytes bytes = encode(mel_header());

  EXPECT_EQ(kCacheVersion, 1U);
  EXPECT_EQ(view_of_bytes(bytes).substr(0, 16),
            std::string_view("xREC\1\0\0\0\xC0\3\0\0\0\0\0\0", 16));
  // A change of these bytes needs another version.
  EXPECT_EQ(base::sha256_hex(view_of_bytes(bytes)).substr(0, 16), "a4435e4445d0ca66");
  EXPECT_EQ(base::sha256_hex(view_of_bytes(encode_segment_header(base::sha256("contract"))))
                .substr(0, 16),
            "c0b98609a4c07420");
}

TEST(CacheRecords, EveryFlippedHeaderBitIsDetected) {
  SegmentHeaderBytes segment = encode_segment_header(base::sha256("contract"));
  for (std::size_t bit = 0; bit < 8 * segment.size(); ++bit) {
    segment.at(bit / 8) ^= static_cast<char>(1U << bit % 8);
    EXPECT_FALSE(decode_segment_header(view_of_bytes(segment))) << bit;
    segment.at(bit / 8) ^= static_cast<char>(1U << bit % 8);
  }
  RecordHeaderBytes record = encode(mel_header());
  for (std::size_t bit = 0; bit < 8 * record.size(); ++bit) {
    record.at(bit / 8) ^= static_cast<char>(1U << bit % 8);
    EXPECT_FALSE(decode_record_header(view_of_bytes(record))) << bit;
    record.at(bit / 8) ^= static_cast<char>(1U << bit % 8);
  }
}

TEST(CacheRecords, TruncatedHeadersAreRejected) {
  const SegmentHeaderBytes segment = encode_segment_header({});
  const RecordHeaderBytes record = encode(mel_header());
  for (std::size_t size = 0; size < segment.size(); ++size)
    EXPECT_FALSE(decode_segment_header(view_of_bytes(segment).substr(0, size)));
  for (std::size_t size = 0; size < record.size(); ++size)
    EXPECT_FALSE(decode_record_header(view_of_bytes(record).substr(0, size)));
}

// The checksum is right, as if a faulty program had written the header.
TEST(CacheRecords, ImpossibleSizesAreRejected) {
  const auto is_rejected = [](std::uint64_t payload_bytes, std::uint32_t n_mels, RecordKind kind) {
    RecordHeader header = mel_header();
    header.payload_bytes = payload_bytes;
    header.n_mels = n_mels;
    header.kind = kind;
    return !decode_record_header(view_of_bytes(encode(header)));
  };
  using enum RecordKind;

  EXPECT_TRUE(is_rejected(320, 0, kMel));
  EXPECT_TRUE(is_rejected(321, 80, kMel));
  EXPECT_TRUE(is_rejected(0, 80, kMel));
  EXPECT_TRUE(is_rejected(4100, 1025, kMel));
  EXPECT_TRUE(is_rejected(kMaxSegmentBytes + 320, 80, kMel));
  EXPECT_TRUE(is_rejected(~std::uint64_t{0}, 1, kMel));
  EXPECT_TRUE(is_rejected(39, 0, kMemo));
  EXPECT_FALSE(is_rejected(320, 80, kMel));
  EXPECT_FALSE(is_rejected(40, 0, kMemo));
  EXPECT_FALSE(is_rejected(7, 0, static_cast<RecordKind>(3))) << "unknown kinds are skipped";
}

TEST(CacheRecords, RecordSizesAreMultiplesOfTheAlignment) {
  EXPECT_EQ(record_bytes(0), 128U);
  EXPECT_EQ(record_bytes(1), 192U);
  EXPECT_EQ(record_bytes(64), 192U);
  EXPECT_EQ(record_bytes(65), 256U);
}

}  // namespace
}  // namespace myxtts::data
