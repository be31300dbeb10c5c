#include "base/trace_writer.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/error.h"
#include "support/full_disk.h"
#include "support/has.h"
#include "support/temp_dir.h"
#include "trace_lines.h"

namespace myxtts::base {
namespace {

constexpr std::int64_t kNoLimit = std::int64_t{1} << 40U;

void add_spans(TraceWriter& writer, int count) {
  for (int i = 0; i < count; ++i)
    writer.add({.name = "work", .start_ns = 1000 + i, .duration_ns = 5, .number = i}, 1);
}

TEST(TraceWriter, FileIsAnArrayAfterEveryWrite) {
  const support::TempDir folder;
  TraceWriter writer(folder.path() / "trace.json", 1000, kNoLimit);
  EXPECT_EQ(events_in(folder.path() / "trace.json").size(), 1U);
  for (std::size_t round = 1; round <= 3; ++round) {
    add_spans(writer, 10);
    writer.write();
    EXPECT_EQ(events_in(folder.path() / "trace.json", "X").size(), 10 * round);
  }
  writer.write();  // nothing is pending
  EXPECT_EQ(events_in(folder.path() / "trace.json", "X").size(), 30U);
}

TEST(TraceWriter, TimesHaveNanosecondResolution) {
  const support::TempDir folder;
  TraceWriter writer(folder.path() / "trace.json", 1000, kNoLimit);
  writer.add({.name = "a\\\"b", .start_ns = 1'234'567'890'123, .duration_ns = 1'000'007}, 3);
  writer.add({.name = "before the trace", .start_ns = 999, .duration_ns = 1}, 3);
  writer.write();

  const std::string text = read_file_or_throw(folder.path() / "trace.json", 10000);
  EXPECT_TRUE(support::has(text, R"("ts":1234567889.123,"dur":1000.007)")) << text;
  const auto spans = events_in(folder.path() / "trace.json", "X");
  ASSERT_EQ(spans.size(), 1U);
  EXPECT_EQ(spans[0].at("name"), "a\\\"b");
  EXPECT_EQ(spans[0].at("tid"), 3);
}

TEST(TraceWriter, FullDiskEndsTheTraceWithOneMessageAndAValidArray) {
  const support::TempDir folder;
  TraceWriter writer(folder.path() / "trace.json", 1000, kNoLimit);
  add_spans(writer, 10);
  writer.write();

  testing::internal::CaptureStderr();
  {
    const support::FullDisk full(2000);
    for (int round = 0; round < 3; ++round) {
      add_spans(writer, 100);
      writer.write();
    }
  }
  add_spans(writer, 1);
  writer.write();
  const std::string logged = testing::internal::GetCapturedStderr();

  EXPECT_EQ(logged,
            "[trace] cannot write " + (folder.path() / "trace.json").string() +
                ": File too large; the program continues, the trace ends here\n");
  EXPECT_EQ(writer.error(), "File too large");
  EXPECT_EQ(writer.num_events(), 10);
  EXPECT_EQ(writer.num_dropped(), 301);
  EXPECT_EQ(events_in(folder.path() / "trace.json", "X").size(), 10U);
}

TEST(TraceWriter, DiskFullFromTheStartOnlyLosesTheTrace) {
  const support::TempDir folder;
  testing::internal::CaptureStderr();
  {
    const support::FullDisk full(10);  // for the message as well
    TraceWriter writer(folder.path() / "trace.json", 1000, kNoLimit);
    add_spans(writer, 5);
    EXPECT_EQ(writer.num_dropped(), 5);
    EXPECT_EQ(writer.error(), "File too large");
  }
  EXPECT_TRUE(testing::internal::GetCapturedStderr().starts_with("[trace] "));
  EXPECT_EQ(std::filesystem::file_size(folder.path() / "trace.json"), 0U);
}

TEST(TraceWriter, StopsAtTheMaximumFileSize) {
  const support::TempDir folder;
  TraceWriter writer(folder.path() / "trace.json", 1000, 3000);
  add_spans(writer, 1000);
  writer.write();
  EXPECT_EQ(writer.num_events() + writer.num_dropped(), 1000);
  EXPECT_GT(writer.num_events(), 10);
  EXPECT_LE(std::filesystem::file_size(folder.path() / "trace.json"), 3003U);
  EXPECT_TRUE(writer.error().empty());
  events_in(folder.path() / "trace.json");
}

TEST(TraceWriter, ReplacesAnOlderFile) {
  const support::TempDir folder;
  { TraceWriter(folder.path() / "trace.json", 0, kNoLimit).name_thread(1, std::string(500, 'x')); }
  const TraceWriter writer(folder.path() / "trace.json", 0, kNoLimit);
  EXPECT_EQ(events_in(folder.path() / "trace.json").size(), 1U);
}

TEST(TraceWriter, RefusesPathsThatAreNoRegularFile) {
  const support::TempDir folder;
  const auto open = [&](const char* name) { TraceWriter(folder.path() / name, 0, kNoLimit); };
  EXPECT_THROW(open("."), UsageError);
  EXPECT_THROW(open("missing/trace.json"), UsageError);
  ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  EXPECT_THROW(open("pipe"), UsageError);
}

}  // namespace
}  // namespace myxtts::base
