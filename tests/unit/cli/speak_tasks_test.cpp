#include "cli/speak_tasks.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/has.h"
#include "support/temp_dir.h"

namespace myxtts::cli {
namespace {

using support::has;

std::string usage_error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(SpeakTasks, EachNonBlankLineIsATask) {
  const std::vector<synthesis::SpeakTask> tasks =
      tasks_of_lines("\xEF\xBB\xBF one \r\n\n \t\r\ntwo\nthree");

  ASSERT_EQ(tasks.size(), 3U);
  EXPECT_EQ(tasks[0].text, "one");
  EXPECT_EQ(tasks[0].line, 1U);
  EXPECT_EQ(tasks[1].text, "two");
  EXPECT_EQ(tasks[1].line, 4U);
  EXPECT_EQ(tasks[2].text, "three");
  EXPECT_EQ(tasks[2].line, 5U);
  EXPECT_TRUE(tasks_of_lines("\n \n").empty());
}

TEST(SpeakTasks, AFolderGetsNumberedFilesInLineOrder) {
  const support::TempDir folder;
  std::vector<synthesis::SpeakTask> tasks = tasks_of_lines("one\n\ntwo\n");

  assign_output_files(tasks, folder.path() / "speech", "");

  EXPECT_EQ(tasks[0].out, folder.path() / "speech" / "0001.wav");
  EXPECT_EQ(tasks[1].out, folder.path() / "speech" / "0002.wav");
}

TEST(SpeakTasks, OneTextMayHaveAFileName) {
  const support::TempDir folder;
  std::vector<synthesis::SpeakTask> one = tasks_of_lines("one");
  std::vector<synthesis::SpeakTask> two = tasks_of_lines("one\ntwo");
  const std::filesystem::path out = folder.path() / "Speech.WAV";

  assign_output_files(one, out, "");

  EXPECT_EQ(one[0].out, out);
  EXPECT_TRUE(
      has(usage_error_of([&] { assign_output_files(two, out, ""); }), "one file for 2 texts"));
  std::filesystem::create_directory(out);
  assign_output_files(two, out, "");
  EXPECT_EQ(two[1].out, out / "0002.wav");
}

TEST(SpeakTasks, RefusesToOverwriteOtherFiles) {
  const support::TempDir folder;
  const std::filesystem::path text = folder.write("lines.txt", "one");
  const std::filesystem::path reference = folder.write("0001.wav", "sound");
  std::vector<synthesis::SpeakTask> tasks = tasks_of_lines("one");

  EXPECT_TRUE(
      has(usage_error_of([&] { assign_output_files(tasks, text, ""); }), "neither a folder nor"));
  EXPECT_TRUE(has(usage_error_of([&] { assign_output_files(tasks, folder.path(), reference); }),
                  "is the reference recording"));
}

TEST(SpeakTasks, AMissingTextFileIsReportedWithTheNearestName) {
  const support::TempDir folder;
  folder.write("lines.txt", "one");

  EXPECT_EQ(read_text_file(folder.path() / "lines.txt"), "one");
  EXPECT_TRUE(has(usage_error_of([&] { read_text_file(folder.path() / "line.txt"); }),
                  "did you mean 'lines.txt'?"));
  EXPECT_TRUE(has(usage_error_of([&] { read_text_file(folder.path()); }), "is a folder"));
}

}  // namespace
}  // namespace myxtts::cli
