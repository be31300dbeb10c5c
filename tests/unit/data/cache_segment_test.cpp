#include "data/cache_segment.h"

#include <cstring>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "data/cache_folder.h"
#include "support/temp_dir.h"

namespace myxtts::data {
namespace {

using Fault = CacheSegment::Opened::Fault;

const base::Sha256 kMelKey = base::sha256("key");

RecordHeader header_for(std::string_view payload, std::string_view audio) {
  return {.kind = RecordKind::kMel,
          .payload_bytes = payload.size(),
          .content = base::sha256(audio),
          .durations = {},
          .n_mels = 1,
          .payload_crc = base::crc32c(payload)};
}

class CacheSegmentTest : public testing::Test {
 protected:
  std::unique_ptr<CacheSegment> created() {
    return CacheSegment::create(folder_.descriptor(), kMelKey).segment;
  }
  CacheSegment::Opened opened(const std::string& name) {
    return CacheSegment::open(folder_.descriptor(), name, kMelKey);
  }
  static void append(CacheSegment& segment, std::string_view payload, std::string_view audio) {
    ASSERT_EQ(segment.append(header_for(payload, audio), payload), 0);
    segment.scan();
  }

  support::TempDir dir_{support::in_memory_folder()};
  CacheFolder folder_{dir_.path()};
};

TEST_F(CacheSegmentTest, ReaderFindsAppendedRecords) {
  const auto writer = created();
  append(*writer, "12345678", "a");
  const auto reader = opened(writer->name()).segment;
  ASSERT_NE(reader, nullptr);

  const ScanResult first = reader->scan();
  ASSERT_EQ(first.mels.size(), 1U);
  EXPECT_EQ(first.mels[0].header, header_for("12345678", "a"));
  EXPECT_TRUE(reader->is_intact(first.mels[0]));
  EXPECT_EQ(std::memcmp(reader->bytes_at(first.mels[0].payload_at), "12345678", 8), 0);
  EXPECT_TRUE(reader->scan().mels.empty());

  const std::string large(100000, 'x');
  append(*writer, large, "b");
  const ScanResult second = reader->scan();
  ASSERT_EQ(second.mels.size(), 1U);
  EXPECT_TRUE(reader->is_intact(second.mels[0]));
  EXPECT_EQ(std::memcmp(reader->bytes_at(second.mels[0].payload_at), large.data(), large.size()),
            0);
}

TEST_F(CacheSegmentTest, OpensOnlyWithItsMelKey) {
  const auto segment = created();

  const auto other =
      CacheSegment::open(folder_.descriptor(), segment->name(), base::sha256("other"));

  EXPECT_EQ(other.segment, nullptr);
  EXPECT_EQ(other.fault, Fault::kNotOurs);
}

TEST_F(CacheSegmentTest, InvalidFilesHaveAFault) {
  const std::string name = new_segment_name();

  EXPECT_EQ(opened(name).fault, Fault::kNotOurs);
  dir_.write(name, std::string(63, 'x'));
  EXPECT_EQ(opened(name).fault, Fault::kEmpty);
  dir_.write(name, std::string(64, 'x'));
  EXPECT_EQ(opened(name).fault, Fault::kBroken);
}

TEST_F(CacheSegmentTest, FileThatIsTooLargeToMapIsBroken) {
  const auto segment = created();
  const std::string name = segment->name();

  std::filesystem::resize_file(dir_.path() / name, kMaxSegmentBytes);
  EXPECT_EQ(opened(name).fault, Fault::kNone);
  std::filesystem::resize_file(dir_.path() / name, kMaxSegmentBytes + 1);
  EXPECT_EQ(opened(name).fault, Fault::kBroken);
}

TEST_F(CacheSegmentTest, IsInUseForItsLifetime) {
  auto segment = created();
  const std::string name = segment->name();
  auto reader = opened(name).segment;

  segment.reset();
  EXPECT_FALSE(folder_.remove_unused(name));
  reader.reset();
  EXPECT_TRUE(folder_.remove_unused(name));
}

TEST_F(CacheSegmentTest, MappingOutlivesTheFileName) {
  const auto segment = created();
  append(*segment, "12345678", "a");
  std::filesystem::remove(dir_.path() / segment->name());

  EXPECT_TRUE(segment->reaches(kSegmentHeaderBytes + record_bytes(8)));
  EXPECT_EQ(std::memcmp(segment->bytes_at(kSegmentHeaderBytes + kRecordHeaderBytes), "1234", 4), 0);
}

TEST_F(CacheSegmentTest, HasOneWriterAtATime) {
  auto writer = created();
  append(*writer, "12345678", "a");
  const auto next = opened(writer->name()).segment;
  next->scan();

  EXPECT_FALSE(next->become_writer());
  writer.reset();
  EXPECT_TRUE(next->become_writer());
  append(*next, "abcdefgh", "b");

  EXPECT_EQ(opened(next->name()).segment->scan().mels.size(), 2U);
}

TEST_F(CacheSegmentTest, NoAppendBehindUnscannedRecords) {
  auto writer = created();
  const auto next = opened(writer->name()).segment;
  append(*writer, "12345678", "a");
  writer.reset();

  EXPECT_FALSE(next->become_writer());
  next->scan();
  EXPECT_TRUE(next->become_writer());
}

TEST_F(CacheSegmentTest, NoAppendBehindAnIncompleteRecord) {
  std::string name;
  {
    const auto writer = created();
    name = writer->name();
    append(*writer, "12345678", "a");
    append(*writer, "abcdefgh", "b");
  }
  const std::uint64_t whole = std::filesystem::file_size(dir_.path() / name);
  for (std::uint64_t size = whole - 1; size > whole - record_bytes(8); --size) {
    std::filesystem::resize_file(dir_.path() / name, size);
    const auto next = opened(name).segment;
    const ScanResult found = next->scan();

    EXPECT_EQ(found.mels.size(), 1U) << size;
    EXPECT_EQ(found.num_damaged, 0U) << size;
    EXPECT_FALSE(next->become_writer()) << size;
  }
}

TEST_F(CacheSegmentTest, RecordsBehindADamagedHeaderAreFound) {
  const auto segment = created();
  append(*segment, std::string(1000, 'x'), "a");
  append(*segment, "12345678", "b");
  const int file = ::open((dir_.path() / segment->name()).c_str(), O_WRONLY);
  ASSERT_EQ(::pwrite(file, "?", 1, kSegmentHeaderBytes + 9), 1);
  ::close(file);

  const ScanResult found = opened(segment->name()).segment->scan();

  EXPECT_EQ(found.num_damaged, 1U);
  ASSERT_EQ(found.mels.size(), 1U);
  EXPECT_EQ(found.mels[0].header.content, base::sha256("b"));
}

TEST_F(CacheSegmentTest, UnknownRecordKindsAreSkipped) {
  const auto segment = created();
  RecordHeader later = header_for("1234", "a");
  later.kind = static_cast<RecordKind>(77);
  ASSERT_EQ(segment->append(later, "1234"), 0);
  EXPECT_TRUE(segment->scan().mels.empty());
  append(*segment, "12345678", "b");

  const ScanResult found = opened(segment->name()).segment->scan();

  EXPECT_EQ(found.num_damaged, 0U);
  EXPECT_EQ(found.mels.size(), 1U);
}

TEST_F(CacheSegmentTest, UseIsMarkedOnceInTheModificationTime) {
  const auto segment = created();
  const auto path = dir_.path() / segment->name();
  const timespec past[2] = {{.tv_sec = 1000, .tv_nsec = 0}, {.tv_sec = 1000, .tv_nsec = 0}};
  const auto set_past = [&] { ::utimensat(AT_FDCWD, path.c_str(), past, 0); };
  const auto is_past = [&] { return folder_.members().at(0).used_ns == 1'000'000'000'000; };

  set_past();
  ASSERT_TRUE(is_past());
  segment->mark_used();
  EXPECT_FALSE(is_past());
  set_past();
  segment->mark_used();
  EXPECT_TRUE(is_past());
}

}  // namespace
}  // namespace myxtts::data
