// Tests refused command lines; tests/unit/synthesis/export_voice_test.cpp tests the export.

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/command_line.h"
#include "support/temp_dir.h"

namespace myxtts::cli {
namespace {

using support::CommandResult;

TEST(CommandExport, ReportsEachMistakeInOneLineWithASuggestion) {
  const support::TempDir folder;
  std::filesystem::create_directory(folder.path() / "voice");
  const std::string out = (folder.path() / "out").string();

  const CommandResult absent =
      support::run_myxtts({"export", (folder.path() / "voise").string(), "--out", out});
  const CommandResult empty =
      support::run_myxtts({"export", (folder.path() / "voice").string(), "--out", out});
  const CommandResult nowhere = support::run_myxtts({"export", (folder.path() / "voice").string()});

  EXPECT_EQ(absent.code, 2);
  EXPECT_NE(absent.errors.find("did you mean 'voice'?"), std::string::npos) << absent.errors;
  EXPECT_EQ(empty.code, 1);
  EXPECT_NE(empty.errors.find("checkpoint"), std::string::npos) << empty.errors;
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_NE(nowhere.errors.find("--out"), std::string::npos) << nowhere.errors;
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace myxtts::cli
