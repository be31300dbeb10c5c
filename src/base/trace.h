// Where the time of each thread went, as a file that Perfetto and chrome://tracing open.
//
//   base::TraceFile trace("run.json");            // somewhere in the program, one at a time
//   base::name_thread("loader 1");                // in each thread that is to have a name
//   { const base::Span span("decode", utterance); ... }
//   base::trace_counter("buffer", depth);
//
// Note [Recording a span]: it costs two readings of the clock and a store into a ring of the
// thread's own; no lock, no allocation, no system call. (The first event of a thread makes its
// ring, unless name_thread() has.) One thread of the TraceFile empties the rings now and then and
// writes. A ring that is full loses the newest events and counts them. While there is no TraceFile,
// a span is one branch.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace xtts::base {

struct TraceSettings {
  std::int64_t events_per_thread = 16384;           // of a ring, 32 bytes each
  std::chrono::milliseconds write_every{250};       // the rings are emptied so often
  std::int64_t most_bytes = std::int64_t{1} << 30;  // of the file; what comes later is dropped
};

struct TraceSummary {
  std::int64_t events = 0;   // in the file: spans and counters
  std::int64_t dropped = 0;  // recorded but not in it: rings or file were full
  std::string lost;          // why nothing was written any more; empty: it was
};

// "12345 events in run.json", and what is missing.
std::string describe(const TraceSummary& summary, const std::filesystem::path& path);

// While it lives, spans and counters of all threads go to `path`, which is replaced. What stands
// there is a JSON array at every moment, whenever the process is killed, except inside of a write.
// A disk that is full ends the trace with one line on standard error and nothing else. At most one
// lives at a time. Threads may end before it or live on after it.
class TraceFile {
 public:
  // Throws UsageError if no regular file can be made there.
  explicit TraceFile(const std::filesystem::path& path, const TraceSettings& settings = {});
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  // Writes what was recorded so far.
  void flush();

  // Writes the rest and closes. Later calls return the same.
  TraceSummary finish();

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

// How this thread is called in traces, those that come as well. Takes a lock.
void name_thread(std::string name);

namespace detail {

extern std::atomic<bool> g_is_tracing;
void record_span(const char* name, std::int64_t number, std::int64_t start_ns);
void record_counter(const char* name, std::int64_t value);

}  // namespace detail

inline bool is_tracing() {
  return detail::g_is_tracing.load(std::memory_order_relaxed);
}

// Nanoseconds of the clock that all events are timed by.
inline std::int64_t trace_clock_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The time from here to the end of the block. Names are string literals: they are read when the
// file is written. `number` (an utterance, a batch, a step) is shown beside the span; < 0: none.
class Span {
 public:
  explicit Span(const char* name, std::int64_t number = -1)
      : name_(is_tracing() ? name : nullptr),
        number_(number),
        start_ns_(name_ == nullptr ? 0 : trace_clock_ns()) {}
  ~Span() {
    if (name_ != nullptr) detail::record_span(name_, number_, start_ns_);
  }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  const char* name_;  // nullptr: nothing is recorded
  std::int64_t number_;
  std::int64_t start_ns_;
};

// A curve over time, e.g. the depth of a buffer. `name` is a string literal.
inline void trace_counter(const char* name, std::int64_t value) {
  if (is_tracing()) detail::record_counter(name, value);
}

}  // namespace xtts::base
