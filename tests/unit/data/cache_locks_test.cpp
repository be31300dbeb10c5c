#include "data/cache_locks.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "support/temp_dir.h"

namespace myxtts::data {
namespace {

using enum LockResult;

// Two descriptors of one file.
class CacheLocks : public testing::Test {
 protected:
  CacheLocks()
      : path_(dir_.write("segment", "")), one_(open_path(O_RDWR)), two_(open_path(O_RDWR)) {}
  ~CacheLocks() override {
    ::close(one_);
    ::close(two_);
  }
  int open_path(int flags) const { return ::open(path_.c_str(), flags | O_CLOEXEC); }

  support::TempDir dir_;
  std::filesystem::path path_;
  int one_;
  int two_;
};

TEST_F(CacheLocks, UseIsSharedAndExcludesRemoval) {
  EXPECT_EQ(lock_use(one_), kHeld);
  EXPECT_EQ(lock_use(two_), kHeld);

  const int remover = open_path(O_RDWR);
  EXPECT_EQ(lock_removal(remover), kTaken);
  ::close(remover);
}

TEST_F(CacheLocks, RemovalExcludesAllOthers) {
  EXPECT_EQ(lock_removal(one_), kHeld);

  EXPECT_EQ(lock_use(two_), kTaken);
  EXPECT_EQ(lock_removal(two_), kTaken);
}

TEST_F(CacheLocks, OneWriterRunsBesideTheUsers) {
  EXPECT_EQ(lock_use(one_), kHeld);
  EXPECT_EQ(lock_writing(one_), kHeld);
  EXPECT_EQ(lock_use(two_), kHeld);

  EXPECT_EQ(lock_writing(two_), kTaken);
  unlock_writing(one_);
  EXPECT_EQ(lock_writing(two_), kHeld);
}

TEST_F(CacheLocks, ClosingReleasesTheLocks) {
  lock_use(one_);
  lock_writing(one_);
  ::close(one_);
  one_ = -1;

  EXPECT_EQ(lock_removal(two_), kHeld);
  EXPECT_EQ(lock_writing(two_), kHeld);
}

TEST_F(CacheLocks, ReadOnlyDescriptorLocksOnlyForUse) {
  const int reader = open_path(O_RDONLY);

  EXPECT_EQ(lock_use(reader), kHeld);
  EXPECT_EQ(lock_writing(reader), kUnknown);
  EXPECT_EQ(lock_removal(reader), kUnknown);
  ::close(reader);
}

}  // namespace
}  // namespace myxtts::data
