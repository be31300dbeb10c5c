#include "data/cache_index.h"

#include <gtest/gtest.h>

#include "data/cache_folder.h"
#include "support/temp_dir.h"

namespace myxtts::data {
namespace {

class CacheIndexTest : public testing::Test {
 protected:
  support::TempDir dir_{support::in_memory_folder()};
  CacheFolder folder_{dir_.path()};
  std::unique_ptr<CacheSegment> segment_ =
      CacheSegment::create(folder_.descriptor(), base::sha256("key")).segment;
  CacheIndex index_;
};

StoredMel stored_at(std::uint64_t offset, std::string_view audio) {
  RecordHeader header;
  header.content = base::sha256(audio);
  return {.payload_at = offset, .header = header};
}

TEST_F(CacheIndexTest, FindsMelsByContentNewestFirst) {
  index_.add(*segment_, {.mels = {stored_at(1, "a"), stored_at(2, "b")}, .memos = {}});
  index_.add(*segment_, {.mels = {stored_at(3, "a")}, .memos = {}});

  const CachedMel* mel = index_.find(base::sha256("a"));

  ASSERT_NE(mel, nullptr);
  EXPECT_EQ(mel->stored.payload_at, 3U);
  EXPECT_EQ(mel->segment, segment_.get());
  ASSERT_NE(mel->older, nullptr);
  EXPECT_EQ(mel->older->stored.payload_at, 1U);
  EXPECT_EQ(mel->older->older, nullptr);
  EXPECT_EQ(index_.find(base::sha256("c")), nullptr);
}

TEST_F(CacheIndexTest, HoldsMelsThatAreNotKnownToBeDamaged) {
  index_.add(*segment_, {.mels = {stored_at(1, "a"), stored_at(2, "a")}, .memos = {}});
  CachedMel* const mel = index_.find(base::sha256("a"));

  mel->state = CachedMel::State::kDamaged;
  EXPECT_TRUE(index_.holds(base::sha256("a")));
  mel->older->state = CachedMel::State::kDamaged;
  EXPECT_FALSE(index_.holds(base::sha256("a")));
  EXPECT_FALSE(index_.holds(base::sha256("b")));
}

TEST_F(CacheIndexTest, ContentNeedsThePathAndTheWholeStamp) {
  const FileStamp stamp{.size = 1, .mtime_ns = 2, .ctime_ns = 3, .inode = 4, .device = 5};
  index_.add(Memo{.path = "/a", .stamp = stamp, .content = base::sha256("a")});

  EXPECT_EQ(index_.content_of("/a", stamp), base::sha256("a"));
  EXPECT_EQ(index_.content_of("/b", stamp), std::nullopt);
  for (const auto field : {&FileStamp::size, &FileStamp::mtime_ns, &FileStamp::ctime_ns}) {
    FileStamp other = stamp;
    other.*field += 1;
    EXPECT_EQ(index_.content_of("/a", other), std::nullopt);
  }
  for (const auto field : {&FileStamp::inode, &FileStamp::device}) {
    FileStamp other = stamp;
    other.*field += 1;
    EXPECT_EQ(index_.content_of("/a", other), std::nullopt);
  }
}

TEST_F(CacheIndexTest, LastMemoOfAPathIsUsed) {
  const FileStamp old_stamp{.size = 1};
  const FileStamp later_stamp{.size = 2};
  index_.add(*segment_,
             {.mels = {},
              .memos = {{.path = "/a", .stamp = old_stamp, .content = base::sha256("a")},
                        {.path = "/a", .stamp = later_stamp, .content = base::sha256("b")}}});

  EXPECT_EQ(index_.content_of("/a", old_stamp), std::nullopt);
  EXPECT_EQ(index_.content_of("/a", later_stamp), base::sha256("b"));
}

}  // namespace
}  // namespace myxtts::data
