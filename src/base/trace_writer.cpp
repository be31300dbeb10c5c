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

namespace xtts::base {
namespace {

constexpr std::string_view kEndOfArray = "\n]\n";

std::string words_of(int error) {
  return std::error_code(error, std::generic_category()).message();
}

void append_json_text(std::string& out, std::string_view text) {
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
  // Without blocking, so that a pipe without a reader costs nothing.
  const int file =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  require_usage(file >= 0,
                "cannot write the trace {}: {}; expected the name of a file in a folder that is "
                "there",
                path.string(),
                words_of(errno));
  struct stat status {};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || ::ftruncate(file, 0) != 0) {
    ::close(file);
    throw UsageError(fmt::format("cannot write the trace {}: expected the name of an ordinary file",
                                 path.string()));
  }
  return file;
}

}  // namespace

TraceWriter::TraceWriter(std::filesystem::path path,
                         std::int64_t origin_ns,
                         std::int64_t most_bytes)
    : path_(std::move(path)),
      file_(open_regular(path_)),
      origin_ns_(origin_ns),
      most_bytes_(most_bytes) {
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
  if (event.start_ns < origin_ns_) return;  // begun before this trace
  // About what a record takes, so that a file that is full costs no work.
  constexpr std::int64_t kRecordBytes = 128;
  const std::int64_t size = size_ + static_cast<std::int64_t>(pending_.size());
  if (file_ < 0 || size + kRecordBytes > most_bytes_) {
    ++num_dropped_;
    return;
  }
  std::string record = "{\"name\":\"";
  append_json_text(record, event.name);
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
  append_json_text(record, name);
  add_record(record + "\"}}");
}

void TraceWriter::note_dropped(std::int64_t thread, std::int64_t now_ns, std::int64_t dropped) {
  std::string record = fmt::format(
      R"({{"name":"events dropped","ph":"i","s":"t","pid":{},"tid":{},"ts":)", ::getpid(), thread);
  append_us(record, std::max<std::int64_t>(0, now_ns - origin_ns_));
  add_record(record + fmt::format(R"(,"args":{{"so far":{}}}}})", dropped));
}

bool TraceWriter::put(std::string_view bytes) {
  std::int64_t place = size_;
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(file_, bytes.data(), bytes.size(), place);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
    place += count;
  }
  return true;
}

void TraceWriter::write() {
  if (pending_.empty()) return;
  if (file_ >= 0) {
    const auto bytes = static_cast<std::int64_t>(pending_.size());
    pending_ += kEndOfArray;
    if (put(pending_)) {
      size_ += bytes;
      num_events_ += pending_events_;
      pending_events_ = 0;
    } else {
      lose(words_of(errno));
    }
  }
  num_dropped_ += std::exchange(pending_events_, 0);
  pending_.clear();
}

// The array that was there before is closed again; the disk still has that place for it.
void TraceWriter::lose(const std::string& why) {
  lost_ = why;
  const bool is_closed = size_ > 0 && put(kEndOfArray);
  const std::int64_t whole = is_closed ? size_ + std::ssize(kEndOfArray) : size_;
  const bool is_cut = ::ftruncate(file_, whole) == 0;
  ::close(std::exchange(file_, -1));
  say("[trace] cannot write {}: {}; the work goes on, the trace {}\n",
      path_.string(),
      why,
      is_closed && is_cut ? "ends here" : "is lost");
}

}  // namespace xtts::base
