#include "base/trace.h"

#include <csignal>
#include <latch>
#include <map>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/trace_ring.h"
#include "support/scale.h"
#include "support/temp_dir.h"
#include "trace_lines.h"

namespace myxtts::base {
namespace {

// Writes only on flush() and finish().
const TraceSettings kManualFlush = {.write_every = std::chrono::hours(1)};

double end_of(const nlohmann::json& span) {
  return span.at("ts").get<double>() + span.at("dur").get<double>();
}

nlohmann::json event_named(const std::vector<nlohmann::json>& events, const std::string& name) {
  std::vector<nlohmann::json> found;
  for (const nlohmann::json& event : events) {
    if (event.at("name") == name) found.push_back(event);
  }
  EXPECT_EQ(found.size(), 1U) << name;
  return found.empty() ? nlohmann::json() : found.front();
}

void record_spans(int count) {
  for (int i = 0; i < count; ++i)
    const Span span("work", i);
}

TEST(Trace, SpansOfAThreadNestLikeTheirBlocks) {
  const support::TempDir folder;
  TraceFile trace(folder.path() / "trace.json", kManualFlush);
  {
    const Span outer("step", 7);
    { const Span first("forward"); }
    { const Span second("backward"); }
  }
  EXPECT_EQ(trace.finish().events, 3);

  const auto spans = events_in(folder.path() / "trace.json", "X");
  const auto outer = event_named(spans, "step");
  const auto first = event_named(spans, "forward");
  const auto second = event_named(spans, "backward");
  EXPECT_GE(outer.at("ts").get<double>(), 0.0);
  EXPECT_LE(outer.at("ts"), first.at("ts"));
  EXPECT_LE(end_of(first), second.at("ts").get<double>());
  EXPECT_LE(end_of(second), end_of(outer) + 1e-6);  // rounding of doubles
  EXPECT_EQ(outer.at("tid"), first.at("tid"));
  EXPECT_EQ(outer.at("pid"), ::getpid());
  EXPECT_EQ(outer.at("args").at("number"), 7);
  EXPECT_FALSE(first.contains("args"));
}

TEST(Trace, TimesAreMicrosecondsOfTheTraceClock) {
  const support::TempDir folder;
  TraceFile trace(folder.path() / "trace.json", kManualFlush);
  const std::int64_t before_ns = trace_clock_ns();
  {
    const Span span("nap");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  const std::int64_t all_ns = trace_clock_ns() - before_ns;
  trace.finish();

  const double duration =
      event_named(events_in(folder.path() / "trace.json", "X"), "nap").at("dur");
  EXPECT_GE(duration, 2000.0);
  EXPECT_LE(duration, static_cast<double>(all_ns) / 1000.0);
}

TEST(Trace, ThreadsHaveNamedTracksAndMayEndBeforeTheWrite) {
  const support::TempDir folder;
  TraceFile trace(folder.path() / "trace.json", kManualFlush);
  std::latch both(2);
  const auto work = [&](const char* name) {
    name_thread(name);
    both.arrive_and_wait();
    record_spans(1000);
  };
  {
    const std::jthread first(work, "loader \"1\"");
    const std::jthread second(work, "model\n");
  }
  EXPECT_EQ(trace.finish().events, 2000);

  std::map<std::int64_t, std::set<std::int64_t>> numbers;
  for (const auto& span : events_in(folder.path() / "trace.json", "X"))
    numbers[span.at("tid")].insert(span.at("args").at("number").get<std::int64_t>());
  ASSERT_EQ(numbers.size(), 2U);
  for (const auto& [thread, thread_numbers] : numbers)
    EXPECT_EQ(thread_numbers.size(), 1000U);
  std::set<std::string> names;
  for (const auto& name : events_in(folder.path() / "trace.json", "M")) {
    if (name.at("name") == "thread_name") {
      EXPECT_TRUE(numbers.contains(name.at("tid")));
      names.insert(name.at("args").at("name").get<std::string>());
    }
  }
  EXPECT_EQ(names, (std::set<std::string>{"loader \"1\"", "model\n"}));
}

TEST(Trace, CountersKeepValuesAndOrder) {
  const support::TempDir folder;
  TraceFile trace(folder.path() / "trace.json", kManualFlush);
  for (const int depth : {0, 50, 3})
    trace_counter("buffer", depth);
  trace.finish();

  std::vector<int> depths;
  double time = -1.0;
  for (const auto& counter : events_in(folder.path() / "trace.json", "C")) {
    EXPECT_EQ(counter.at("name"), "buffer");
    EXPECT_GE(counter.at("ts").get<double>(), time);
    time = counter.at("ts");
    depths.push_back(counter.at("args").at("value"));
  }
  EXPECT_EQ(depths, (std::vector<int>{0, 50, 3}));
}

TEST(Trace, EventsDroppedByAFullRingAreCountedAndReported) {
  const support::TempDir folder;
  TraceSettings settings = kManualFlush;
  settings.events_per_thread = 10;
  TraceFile trace(folder.path() / "trace.json", settings);
  record_spans(25);
  trace.flush();
  record_spans(3);
  const TraceSummary summary = trace.finish();

  EXPECT_EQ(summary.events, 13);
  EXPECT_EQ(summary.dropped, 15);
  EXPECT_EQ(format_trace_summary(summary, "t.json"), "13 events in t.json, 15 dropped");
  const auto spans = events_in(folder.path() / "trace.json", "X");
  ASSERT_EQ(spans.size(), 13U);
  EXPECT_EQ(spans[9].at("args").at("number"), 9);  // the oldest are kept
  const auto notes = events_in(folder.path() / "trace.json", "i");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].at("args").at("so far"), 15);
}

TEST(Trace, RecordsNothingWithoutATraceFile) {
  EXPECT_FALSE(is_tracing());
  record_spans(100);
  const support::TempDir folder;
  {
    const Span began_before("too early");
    TraceFile trace(folder.path() / "trace.json", kManualFlush);
    EXPECT_TRUE(is_tracing());
    record_spans(1);
    trace.finish();
    EXPECT_FALSE(is_tracing());
    record_spans(100);
    EXPECT_EQ(trace.finish().events, 1);
  }
  EXPECT_EQ(events_in(folder.path() / "trace.json", "X").size(), 1U);
}

TEST(Trace, ThreadIsRecordedInLaterTracesToo) {
  const support::TempDir folder;
  for (const char* name : {"first.json", "second.json"}) {
    TraceFile trace(folder.path() / name, kManualFlush);
    record_spans(5);
    EXPECT_EQ(trace.finish().events, 5);
    EXPECT_EQ(events_in(folder.path() / name, "X").size(), 5U);
  }
}

TEST(Trace, SpanThatOutlivesItsTraceIsNotRecorded) {
  const support::TempDir folder;
  auto trace = std::make_unique<TraceFile>(folder.path() / "first.json", kManualFlush);
  auto span = std::make_unique<Span>("long");
  trace.reset();
  trace = std::make_unique<TraceFile>(folder.path() / "second.json", kManualFlush);
  span.reset();
  trace.reset();
  EXPECT_TRUE(events_in(folder.path() / "first.json", "X").empty());
  EXPECT_TRUE(events_in(folder.path() / "second.json", "X").empty());
}

TEST(Trace, SecondOpenTraceIsRefused) {
  const support::TempDir folder;
  const TraceFile trace(folder.path() / "trace.json", kManualFlush);
  EXPECT_THROW(TraceFile(folder.path() / "second.json", kManualFlush), BugError);
}

TEST(Trace, ShortLivedThreadsLoseNoEventsUncounted) {
  const support::TempDir folder;
  TraceFile trace(folder.path() / "trace.json",
                  {.events_per_thread = 64, .write_every = std::chrono::milliseconds(1)});
  const int rounds = 10 * support::test_scale();
  for (int round = 0; round < rounds; ++round) {
    const std::jthread first([] { record_spans(300); });
    const std::jthread second([] {
      name_thread("second");
      for (int i = 0; i < 100; ++i)
        trace_counter("depth", i);
    });
    record_spans(100);
    trace.flush();
  }
  const TraceSummary summary = trace.finish();

  EXPECT_EQ(summary.events + summary.dropped, 500 * rounds);
  const auto all = events_in(folder.path() / "trace.json");
  EXPECT_EQ(std::ranges::count_if(
                all, [](const auto& one) { return one.at("ph") == "X" || one.at("ph") == "C"; }),
            summary.events);
}

// A child process that traces until it is killed.
class TracingChild {
 public:
  TracingChild(const std::filesystem::path& path, std::chrono::milliseconds write_every) {
    int ends[2] = {};
    EXPECT_EQ(::pipe(ends), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      TraceFile trace(path, {.write_every = write_every});
      record_spans(1000);
      trace.flush();
      static_cast<void>(::write(ends[1], "1", 1));
      while (true) {
        record_spans(10);
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    }
    char ready = 0;
    EXPECT_EQ(::read(ends[0], &ready, 1), 1);
    ::close(ends[0]);
    ::close(ends[1]);
  }

  void kill() const {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

 private:
  pid_t pid_ = -1;
};

TEST(Trace, KilledProcessLeavesAValidArray) {
  const support::TempDir folder;
  TracingChild(folder.path() / "trace.json", std::chrono::hours(1)).kill();
  EXPECT_EQ(events_in(folder.path() / "trace.json", "X").size(), 1000U);
}

TEST(Trace, KillDuringAWriteLeavesAnArrayUpToTheLastWholeLine) {
  const support::TempDir folder;
  for (int i = 0; i < 5 * support::test_scale(); ++i) {
    TracingChild(folder.path() / "trace.json", std::chrono::milliseconds(0)).kill();

    std::string text = read_file_or_throw(folder.path() / "trace.json", std::size_t{1} << 30U);
    if (!text.ends_with("\n]\n")) text = text.substr(0, text.rfind(",\n{")) + "\n]\n";
    EXPECT_GE(nlohmann::json::parse(text).size(), 1000U);
  }
}

}  // namespace
}  // namespace myxtts::base
