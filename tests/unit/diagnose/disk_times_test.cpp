#include "diagnose/disk_times.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace myxtts::diagnose {
namespace {

TEST(DiskTimes, CountOnlyReadableFiles) {
  const support::TempDir dir;
  dir.write("file", std::string(1 << 20, 'x'));
  DiskTimes times;

  times.read(dir.path() / "missing");
  EXPECT_FALSE(times.first_byte_s());
  EXPECT_FALSE(times.bytes_per_s());

  times.read(dir.path() / "file");
  EXPECT_GT(times.first_byte_s().value_or(0.0), 0.0);
  EXPECT_GT(times.bytes_per_s().value_or(0.0), 0.0);
}

TEST(DiskTimes, HaveNoThroughputForAnEmptyFile) {
  const support::TempDir dir;
  dir.write("file", "");
  DiskTimes times;

  times.read(dir.path() / "file");

  EXPECT_TRUE(times.first_byte_s());
  EXPECT_FALSE(times.bytes_per_s());
}

}  // namespace
}  // namespace myxtts::diagnose
