#include "corpus/demo_lock.h"

#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"
#include "support/temp_dir.h"

namespace myxtts::corpus {
namespace {

namespace fs = std::filesystem;

TEST(DemoLock, SecondLockIsRefusedWithThePidOfTheFirst) {
  const support::TempDir dir;
  const DemoLock first(dir.path() / "demo");

  try {
    const DemoLock second(dir.path() / "demo");
    FAIL() << "two locks on one folder";
  } catch (const UsageError&) {
    FAIL() << "not a usage error";
  } catch (const UserError& error) {
    EXPECT_EQ(std::string(error.what()),
              "another run (pid " + std::to_string(::getpid()) +
                  ") is writing this corpus; wait for it or choose another --out");
  }
}

TEST(DemoLock, DestructorReleasesTheLockAndLeavesNoFile) {
  const support::TempDir dir;
  { const DemoLock first(dir.path() / "demo"); }

  EXPECT_NO_THROW(DemoLock(dir.path() / "demo"));
  EXPECT_TRUE(fs::is_empty(dir.path() / "demo"));
}

TEST(DemoLock, OtherFoldersAreNotLocked) {
  const support::TempDir dir;
  const DemoLock first(dir.path() / "one");

  EXPECT_NO_THROW(DemoLock(dir.path() / "two"));
}

TEST(DemoLock, RefusesAFile) {
  const support::TempDir dir;
  const auto file = dir.write("demo", "x");

  EXPECT_THROW(DemoLock{file}, UsageError);
}

}  // namespace
}  // namespace myxtts::corpus
