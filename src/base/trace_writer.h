#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/trace_ring.h"

namespace myxtts::base {

// Writes trace events as a JSON array in Chrome's trace format, one event per line. Spans are
// complete events ("X"), counters "C", thread names metadata ("M"). Times are microseconds since
// `origin_ns` with nanosecond resolution. Records are buffered in memory until write().
//
// Every write ends with the closing bracket, which the next write overwrites, so that the file is a
// valid array between two writes. Not thread-safe.
class TraceWriter {
 public:
  // Throws UsageError if `path` cannot be opened as a regular file.
  TraceWriter(std::filesystem::path path, std::int64_t origin_ns, std::int64_t max_bytes);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  void add(const TraceEvent& event, std::int64_t thread);
  void name_thread(std::int64_t thread, std::string_view name);
  // Adds an instant event to the thread's track with the total number of dropped events.
  void note_dropped(std::int64_t thread, std::int64_t now_ns, std::int64_t dropped);

  // Writes the buffered records. On failure logs one line, sets error() and stops writing for good.
  void write();

  std::int64_t num_events() const { return num_events_; }    // spans and counters in the file
  std::int64_t num_dropped() const { return num_dropped_; }  // not written: file full or failed
  const std::string& error() const { return error_; }

 private:
  void add_record(std::string_view record);
  bool write_at_end(std::string_view bytes);
  void stop_with_error(const std::string& error);

  std::filesystem::path path_;
  int file_ = -1;
  std::int64_t origin_ns_;
  std::int64_t max_bytes_;
  std::int64_t size_ = 0;  // of the file without the closing bracket
  std::string pending_;
  std::int64_t pending_events_ = 0;
  std::int64_t num_events_ = 0;
  std::int64_t num_dropped_ = 0;
  std::string error_;
};

}  // namespace myxtts::base
