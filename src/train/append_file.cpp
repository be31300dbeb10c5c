#include "train/append_file.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/terminal.h"

namespace myxtts::train {
namespace {

constexpr std::size_t kPendingLimit = std::size_t{64} << 10U;  // bytes

}  // namespace

AppendFile::AppendFile(std::filesystem::path path, std::int64_t keep_bytes)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  struct stat status {};
  if (file_ < 0 || ::fstat(file_, &status) != 0) {
    report_failure(errno);
    close();
    return;
  }
  size_ = status.st_size;
  if (keep_bytes < 0 || keep_bytes >= size_) return;
  // Old lines that cannot be removed would be read as lines of this run, so nothing is appended.
  if (::ftruncate(file_, keep_bytes) != 0) {
    report_failure(errno);
    close();
  }
  size_ = keep_bytes;
}

AppendFile::~AppendFile() {
  flush();
  close();
}

void AppendFile::append(std::string_view record) {
  if (file_ < 0) return;
  pending_ += record;
  if (pending_.size() >= kPendingLimit) flush();
}

void AppendFile::flush() {
  if (file_ < 0 || pending_.empty()) return;
  if (write_pending()) {
    size_ += static_cast<std::int64_t>(pending_.size());
  } else {
    report_failure(errno);
    // A partial record would make everything after it unreadable.
    struct stat status {};
    const bool has_part = ::fstat(file_, &status) == 0 && status.st_size > size_;
    if (has_part && ::ftruncate(file_, size_) != 0) close();
  }
  pending_.clear();
}

void AppendFile::report_failure(int error) {
  if (std::exchange(is_failure_reported_, true)) return;
  base::log("[train] cannot write {}: {}; training continues without these lines\n",
            path_.string(),
            std::error_code(error, std::generic_category()).message());
}

bool AppendFile::write_pending() {
  std::string_view rest = pending_;
  while (!rest.empty()) {
    const ssize_t count = ::write(file_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void AppendFile::close() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

}  // namespace myxtts::train
