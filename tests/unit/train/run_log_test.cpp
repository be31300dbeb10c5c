#include "train/run_log.h"

#include <regex>
#include <thread>

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace xtts::train {
namespace {

const char* const kStamp = R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ )";

TEST(RunLog, SaysOnStandardErrorAndKeepsItWithTheTime) {
  const support::TempDir folder;
  const auto path = folder.path() / "log.txt";

  testing::internal::CaptureStderr();
  { RunLog(path).say("[train] step {}\nsecond line\n", 7); }
  const std::string said = testing::internal::GetCapturedStderr();

  EXPECT_EQ(said, "[train] step 7\nsecond line\n");
  const std::string kept = support::contents(path);
  const std::string expected =
      std::string(kStamp) + R"(\[train\] step 7\n)" + kStamp + R"(second line\n)";
  EXPECT_TRUE(std::regex_match(kept, std::regex(expected))) << kept;
}

TEST(RunLog, ALineSaidInPiecesHasOneStamp) {
  const support::TempDir folder;
  const auto path = folder.path() / "log.txt";

  testing::internal::CaptureStderr();
  {
    RunLog log(path);
    log.say("one ");
    log.say("line\n");
  }
  testing::internal::GetCapturedStderr();

  const std::string kept = support::contents(path);
  EXPECT_TRUE(std::regex_match(kept, std::regex(std::string(kStamp) + R"(one line\n)"))) << kept;
}

TEST(RunLog, ASecondStartAddsToTheFirst) {
  const support::TempDir folder;
  const auto path = folder.write("log.txt", "before\n");

  testing::internal::CaptureStderr();
  { RunLog(path).say("after\n"); }
  testing::internal::GetCapturedStderr();

  const std::string kept = support::contents(path);
  EXPECT_TRUE(kept.starts_with("before\n")) << kept;
  EXPECT_TRUE(kept.ends_with("Z after\n")) << kept;
}

TEST(RunLog, LinesOfSeveralThreadsStayWhole) {
  const support::TempDir folder;
  const auto path = folder.path() / "log.txt";

  testing::internal::CaptureStderr();
  {
    RunLog log(path);
    auto talk = [&log] {
      for (int i = 0; i < 100; ++i)
        log.say("{}{}{}{}\n", "aaaa", "bbbb", "cccc", "dddd");
    };
    const std::jthread one(talk);
    const std::jthread two(talk);
  }
  testing::internal::GetCapturedStderr();

  const std::string kept = support::contents(path);
  std::size_t whole = 0;
  for (std::size_t place = 0; (place = kept.find("Z aaaabbbbccccdddd\n", place)) != kept.npos;)
    ++whole, ++place;
  EXPECT_EQ(whole, 200U);
}

}  // namespace
}  // namespace xtts::train
