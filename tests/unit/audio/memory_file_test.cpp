#include "audio/memory_file.h"

#include <cstdio>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace myxtts::audio {
namespace {

TEST(MemoryFile, ReadsLikeAFile) {
  MemoryFile file("abcdef");
  std::string target(4, '.');

  EXPECT_EQ(file.read(target.data(), 4), 4);
  EXPECT_EQ(target, "abcd");
  EXPECT_EQ(file.read(target.data(), 4), 2);
  EXPECT_EQ(file.read(target.data(), 4), 0);
  EXPECT_EQ(target, "efcd");
}

TEST(MemoryFile, SeeksFromStartEndAndCurrentPosition) {
  MemoryFile file("abcdef");

  EXPECT_EQ(file.seek(2, SEEK_SET), 2);
  EXPECT_EQ(file.seek(3, SEEK_CUR), 5);
  EXPECT_EQ(file.seek(-6, SEEK_END), 0);
  EXPECT_EQ(file.seek(0, SEEK_END), 6);
}

TEST(MemoryFile, ASeekOutsideTheFileFailsWithoutAChange) {
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  MemoryFile file("abcdef");
  file.seek(3, SEEK_SET);

  for (const int whence : {SEEK_SET, SEEK_CUR, SEEK_END}) {
    EXPECT_EQ(file.seek(kFar, whence), -1);
    EXPECT_EQ(file.seek(-kFar, whence), -1);
  }
  EXPECT_EQ(file.seek(-4, SEEK_CUR), -1);
  EXPECT_EQ(file.position(), 3);
  EXPECT_EQ(file.read(nullptr, -5), 0);
}

}  // namespace
}  // namespace myxtts::audio
