#include "train/run_log.h"

#include <regex>
#include <thread>

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace myxtts::train {
namespace {

const char* const kStamp = R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ )";

TEST(RunLog, WritesToStandardErrorAndToTheFileWithTimestamps) {
  const support::TempDir folder;
  const auto path = folder.path() / "log.txt";

  testing::internal::CaptureStderr();
  { RunLog(path).log("[train] step {}\nsecond line\n", 7); }
  const std::string output = testing::internal::GetCapturedStderr();

  EXPECT_EQ(output, "[train] step 7\nsecond line\n");
  const std::string written = support::contents(path);
  const std::string expected =
      std::string(kStamp) + R"(\[train\] step 7\n)" + kStamp + R"(second line\n)";
  EXPECT_TRUE(std::regex_match(written, std::regex(expected))) << written;
}

TEST(RunLog, StampsALineWrittenInPiecesOnce) {
  const support::TempDir folder;
  const auto path = folder.path() / "log.txt";

  testing::internal::CaptureStderr();
  {
    RunLog log(path);
    log.log("one ");
    log.log("line\n");
  }
  testing::internal::GetCapturedStderr();

  const std::string written = support::contents(path);
  EXPECT_TRUE(std::regex_match(written, std::regex(std::string(kStamp) + R"(one line\n)")))
      << written;
}

TEST(RunLog, AppendsToAnExistingFile) {
  const support::TempDir folder;
  const auto path = folder.write("log.txt", "before\n");

  testing::internal::CaptureStderr();
  { RunLog(path).log("after\n"); }
  testing::internal::GetCapturedStderr();

  const std::string written = support::contents(path);
  EXPECT_TRUE(written.starts_with("before\n")) << written;
  EXPECT_TRUE(written.ends_with("Z after\n")) << written;
}

TEST(RunLog, KeepsLinesOfSeveralThreadsIntact) {
  const support::TempDir folder;
  const auto path = folder.path() / "log.txt";

  testing::internal::CaptureStderr();
  {
    RunLog log(path);
    auto write_lines = [&log] {
      for (int i = 0; i < 100; ++i)
        log.log("{}{}{}{}\n", "aaaa", "bbbb", "cccc", "dddd");
    };
    const std::jthread one(write_lines);
    const std::jthread two(write_lines);
  }
  testing::internal::GetCapturedStderr();

  const std::string written = support::contents(path);
  std::size_t whole = 0;
  for (std::size_t position = 0;
       (position = written.find("Z aaaabbbbccccdddd\n", position)) != written.npos;)
    ++whole, ++position;
  EXPECT_EQ(whole, 200U);
}

}  // namespace
}  // namespace myxtts::train
