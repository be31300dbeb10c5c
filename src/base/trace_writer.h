#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/trace_ring.h"

namespace xtts::base {

// The file of a trace: a JSON array of events in the format of Chrome's trace viewer, one per line.
// Spans are complete events ("X"), counters "C", names of threads metadata ("M"); times are
// microseconds since `origin_ns`, to the nanosecond. Records wait in memory until write().
//
// Every write ends with the closing bracket and the next one begins on top of it, so that the file
// is an array whenever the process ends between two writes. Not thread-safe.
class TraceWriter {
 public:
  // Throws UsageError if there can be no regular file.
  TraceWriter(std::filesystem::path path, std::int64_t origin_ns, std::int64_t most_bytes);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  void add(const TraceEvent& event, std::int64_t thread);
  void name_thread(std::int64_t thread, std::string_view name);
  // An instant on the thread's track: from here so many events are missing in all.
  void note_dropped(std::int64_t thread, std::int64_t now_ns, std::int64_t dropped);

  // What waits goes to the file. If it cannot, it is said once on standard error, `lost()` says
  // why, and nothing is written any more.
  void write();

  std::int64_t num_events() const { return num_events_; }    // spans and counters written
  std::int64_t num_dropped() const { return num_dropped_; }  // that the file had no room for
  const std::string& lost() const { return lost_; }

 private:
  void add_record(std::string_view record);
  bool put(std::string_view bytes);
  void lose(const std::string& why);

  std::filesystem::path path_;
  int file_ = -1;
  std::int64_t origin_ns_;
  std::int64_t most_bytes_;
  std::int64_t size_ = 0;  // of the file without its closing bracket
  std::string pending_;
  std::int64_t pending_events_ = 0;
  std::int64_t num_events_ = 0;
  std::int64_t num_dropped_ = 0;
  std::string lost_;
};

}  // namespace xtts::base
