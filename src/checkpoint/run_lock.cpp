#include "checkpoint/run_lock.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"

namespace myxtts::checkpoint {
namespace {

// Returns " (pid 1234)", or "" if the holder has not written its pid yet.
std::string holder_of(int file) {
  std::string pid(16, '\0');
  if (::pread(file, pid.data(), pid.size(), 0) <= 0) return "";
  pid.resize(std::min(pid.size(), pid.find_first_not_of("0123456789")));
  return pid.empty() ? "" : fmt::format(" (pid {})", pid);
}

// The pid only informs users, so a failed write (full disk) is ignored.
void write_pid(int file) {
  const std::string pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(file, 0) != 0) return;
  static_cast<void>(!::pwrite(file, pid.data(), pid.size(), 0));
}

// The pid may have been reused by another program; only the lock holder has the file open.
bool has_file_open(int pid, const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::directory_iterator open_files(fmt::format("/proc/{}/fd", pid), error);
  if (error == std::errc::permission_denied) return ::kill(pid, 0) == 0 || errno == EPERM;
  if (error) return false;
  const std::filesystem::path wanted = std::filesystem::canonical(file, error);
  for (; open_files != std::filesystem::directory_iterator(); open_files.increment(error)) {
    if (error) return false;
    std::error_code gone;
    if (std::filesystem::read_symlink(open_files->path(), gone) == wanted) return true;
  }
  return false;
}

}  // namespace

std::optional<int> running_pid(const std::filesystem::path& run) {
  std::ifstream file(run / "lock");
  int pid = 0;
  if (!(file >> pid) || pid <= 0) return std::nullopt;  // a normal exit leaves an empty file
  file.close();
  if (!has_file_open(pid, run / "lock")) return std::nullopt;
  return pid;
}

RunLock::RunLock(const std::filesystem::path& run) {
  std::error_code error;
  std::filesystem::create_directories(run, error);
  file_ = ::open((run / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  const std::error_code cause(errno, std::generic_category());
  require_usage(file_ >= 0 || cause != std::errc::not_a_directory,
                "{} is not a folder; choose another run folder",
                run.string());
  require(file_ >= 0,
          "cannot use the run folder {}: {}; choose another one",
          run.string(),
          (error ? error : cause).message());
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    const std::string holder = holder_of(file_);
    ::close(file_);
    throw UserError(
        fmt::format("another run{} is using {}; wait for it, stop it, or choose another run folder",
                    holder,
                    run.string()));
  }
  // On a file system without locks, training continues unlocked.
  write_pid(file_);
}

RunLock::~RunLock() {
  static_cast<void>(!::ftruncate(file_, 0));
  ::close(file_);
}

}  // namespace myxtts::checkpoint
