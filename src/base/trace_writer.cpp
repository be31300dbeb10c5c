#include "base/trace_writer.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/terminal.h"

namespace myxtts::base {
namespace {

constexpr std::string_view kEndOfArray = "\n]\n";

std::string system_message(int error) {
  return std::error_code(error, std::generic_category()).message();
}

void append_json_escaped(std::string& out, std::string_view text) {
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') {
      out += '\\';
      out += letter;
    } else if (static_cast<unsigned char>(letter) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<int>(letter));
    } else {
      out += letter;
    }
  }
}

// "12.345": microseconds to the nanosecond, without the rounding of a double.
void append_us(std::string& out, std::int64_t ns) {
  fmt::format_to(std::back_inserter(out), "{}.{:03}", ns / 1000, ns % 1000);
}

int open_regular(const std::filesystem::path& path) {
  // Non-blocking, because opening a pipe without a reader would block.
  const int file =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  require_usage(file >= 0,
                "cannot write the trace {}: {}; expected a file name in an existing folder",
                path.string(),
                system_message(errno));
  struct stat status {};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || ::ftruncate(file, 0) != 0) {
    ::close(file);
    throw UsageError(fmt::format("cannot write the trace {}: expected the name of a regular file",
                                 path.string()));
  }
  return file;
}

}  // namespace

TraceWriter::TraceWriter(std::filesystem::path path, std::int64_t origin_ns, std::int64_t max_bytes)
    : path_(std::move(path)),
      file_(open_regular(path_)),
      origin_ns_(origin_ns),
      max_bytes_(max_bytes) {
  add_record(fmt::format(
      R"({{"name":"process_name","ph":"M","pid":{},"tid":0,"args":{{"name":"myxtts"}}}})",
      ::getpid()));
  write();
}

TraceWriter::~TraceWriter() {
  write();
  if (file_ >= 0) ::close(file_);
}

void TraceWriter::add_record(std::string_view record) {
  pending_ += size_ == 0 && pending_.empty() ? "[\n" : ",\n";
  pending_ += record;
}

void TraceWriter::add(const TraceEvent& event, std::int64_t thread) {
  if (event.start_ns < origin_ns_) return;  // started before this trace
  // Approximate size of a record, checked first so that a full file costs no formatting.
  constexpr std::int64_t kRecordBytes = 128;
  const std::int64_t size = size_ + static_cast<std::int64_t>(pending_.size());
  if (file_ < 0 || size + kRecordBytes > max_bytes_) {
    ++num_dropped_;
    return;
  }
  std::string record = "{\"name\":\"";
  append_json_escaped(record, event.name);
  fmt::format_to(std::back_inserter(record),
                 R"(","ph":"{}","pid":{},"tid":{},"ts":)",
                 event.duration_ns < 0 ? 'C' : 'X',
                 ::getpid(),
                 thread);
  append_us(record, event.start_ns - origin_ns_);
  if (event.duration_ns >= 0) {
    record += ",\"dur\":";
    append_us(record, event.duration_ns);
  }
  if (event.duration_ns < 0 || event.number >= 0) {
    fmt::format_to(std::back_inserter(record),
                   R"(,"args":{{"{}":{}}})",
                   event.duration_ns < 0 ? "value" : "number",
                   event.number);
  }
  record += '}';
  add_record(record);
  ++pending_events_;
}

void TraceWriter::name_thread(std::int64_t thread, std::string_view name) {
  std::string record = fmt::format(
      R"({{"name":"thread_name","ph":"M","pid":{},"tid":{},"args":{{"name":")", ::getpid(), thread);
  append_json_escaped(record, name);
  add_record(record + "\"}}");
}

void TraceWriter::note_dropped(std::int64_t thread, std::int64_t now_ns, std::int64_t dropped) {
  std::string record = fmt::format(
      R"({{"name":"events dropped","ph":"i","s":"t","pid":{},"tid":{},"ts":)", ::getpid(), thread);
  append_us(record, std::max<std::int64_t>(0, now_ns - origin_ns_));
  add_record(record + fmt::format(R"(,"args":{{"so far":{}}}}})", dropped));
}

bool TraceWriter::write_at_end(std::string_view bytes) {
  std::int64_t offset = size_;
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(file_, bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += count;
  }
  return true;
}

void TraceWriter::write() {
  if (pending_.empty()) return;
  if (file_ >= 0) {
    const auto bytes = static_cast<std::int64_t>(pending_.size());
    pending_ += kEndOfArray;
    if (write_at_end(pending_)) {
      size_ += bytes;
      num_events_ += pending_events_;
      pending_events_ = 0;
    } else {
      stop_with_error(system_message(errno));
    }
  }
  num_dropped_ += std::exchange(pending_events_, 0);
  pending_.clear();
}

// Restores the closing bracket of the last complete write, for which the disk still has space.
void TraceWriter::stop_with_error(const std::string& error) {
  error_ = error;
  const bool is_closed = size_ > 0 && write_at_end(kEndOfArray);
  const std::int64_t final_size = is_closed ? size_ + std::ssize(kEndOfArray) : size_;
  const bool is_truncated = ::ftruncate(file_, final_size) == 0;
  ::close(std::exchange(file_, -1));
  log("[trace] cannot write {}: {}; the program continues, the trace {}\n",
      path_.string(),
      error,
      is_closed && is_truncated ? "ends here" : "is unusable");
}

}  // namespace myxtts::base
