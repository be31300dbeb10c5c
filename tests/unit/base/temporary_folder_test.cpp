#include "base/temporary_folder.h"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/temp_dir.h"

namespace myxtts::base {
namespace {

TEST(TemporaryFolder, ExistsForItsLifetimeAndIsRemovedWithItsContent) {
  std::filesystem::path path;
  {
    const TemporaryFolder one("myxtts-test");
    const TemporaryFolder other("myxtts-test");
    path = one.path();
    EXPECT_TRUE(std::filesystem::is_directory(path));
    EXPECT_NE(path, other.path());
    std::filesystem::create_directory(path / "inside");
    std::ofstream(path / "inside" / "file") << "something";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryFolder, ErrorSuggestsSettingTmpdir) {
  const support::TempDir dir;
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("TMPDIR", (dir.path() / "not there").c_str(), 1);
  try {
    const TemporaryFolder folder("myxtts-test");
    ADD_FAILURE() << "created in " << folder.path();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("TMPDIR"), std::string::npos) << error.what();
  }
  before != nullptr ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
}

}  // namespace
}  // namespace myxtts::base
