// Records trace events of all threads in a file for Perfetto and chrome://tracing.
//
//   base::TraceFile trace("run.json");            // at most one at a time
//   base::name_thread("loader 1");                // in each thread that should have a name
//   { const base::Span span("decode", utterance); ... }
//   base::trace_counter("buffer", depth);
//
// Note [Recording a span]: a span costs two clock readings and a store into a ring buffer of its
// thread, without lock, allocation or system call. The first event of a thread, or name_thread(),
// allocates the ring. The TraceFile's writer thread drains the rings periodically. A full ring
// drops the newest events and counts them. Without a TraceFile, a span costs one branch.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace myxtts::base {

struct TraceSettings {
  std::int64_t events_per_thread = 16384;          // ring capacity, 32 bytes per event
  std::chrono::milliseconds write_every{250};      // interval at which the rings are drained
  std::int64_t max_bytes = std::int64_t{1} << 30;  // of the file; later events are dropped
};

struct TraceSummary {
  std::int64_t events = 0;   // spans and counters in the file
  std::int64_t dropped = 0;  // recorded but not in the file: a ring or the file was full
  std::string error;         // why writing stopped early; empty on success
};

// Returns "12345 events in run.json", with the number of dropped events and the error, if any.
std::string format_trace_summary(const TraceSummary& summary, const std::filesystem::path& path);

// Writes the spans and counters of all threads to `path` for the lifetime of the object. Replaces
// an existing file. The file is a valid JSON array whenever the process is killed, except during a
// write. A full disk ends the trace with one log line and no other effect. At most one TraceFile
// exists at a time. Threads may end before it or outlive it.
class TraceFile {
 public:
  // Throws UsageError if `path` cannot be opened as a regular file.
  explicit TraceFile(const std::filesystem::path& path, const TraceSettings& settings = {});
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  // Writes all events recorded so far.
  void flush();

  // Writes the remaining events and closes the file. Later calls return the same summary.
  TraceSummary finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Names the calling thread in the current and all later traces. Takes a lock.
void name_thread(std::string name);

namespace detail {

extern std::atomic<bool> g_is_tracing;
void record_span(const char* name, std::int64_t number, std::int64_t start_ns);
void record_counter(const char* name, std::int64_t value);

}  // namespace detail

inline bool is_tracing() {
  return detail::g_is_tracing.load(std::memory_order_relaxed);
}

// Returns the time of the trace clock in nanoseconds.
inline std::int64_t trace_clock_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Records the time from its construction to the end of the block. `name` must be a string literal:
// it is read when the file is written. `number` (an utterance, a batch, a step) is shown with the
// span unless it is negative.
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
  const char* name_;  // nullptr if not tracing
  std::int64_t number_;
  std::int64_t start_ns_;
};

// Records the value of a counter, such as the depth of a buffer. `name` must be a string literal.
inline void trace_counter(const char* name, std::int64_t value) {
  if (is_tracing()) detail::record_counter(name, value);
}

}  // namespace myxtts::base
