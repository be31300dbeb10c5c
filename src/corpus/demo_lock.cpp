#include "corpus/demo_lock.h"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "corpus/reasons.h"

namespace myxtts::corpus {
namespace {

// Returns " (pid 1234)" of the process that holds the lock, "" if it is unknown. A line of
// /proc/locks is "1: FLOCK ADVISORY WRITE 1234 fe:00:11321647 0 EOF": pid, then device and inode.
std::string holder_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return "";
  const std::string inode = fmt::format(":{}", status.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream fields(line);
    std::string number, kind, mode, access, pid, inode_field;
    fields >> number >> kind >> mode >> access >> pid >> inode_field;
    if (kind == "FLOCK" && inode_field.ends_with(inode)) return fmt::format(" (pid {})", pid);
  }
  return "";
}

}  // namespace

DemoLock::DemoLock(const std::filesystem::path& folder) {
  const std::string shown = printable(folder.string(), 400);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::error_code cause(errno, std::generic_category());
  require_usage(descriptor_ >= 0 || cause != std::errc::not_a_directory,
                "{} is not a folder; choose another --out",
                shown);
  require(descriptor_ >= 0,
          "cannot open the folder {}: {}; choose another --out",
          shown,
          (error ? error : cause).message());
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;

  // On a file system without locks, the corpus is created unlocked.
  if (errno != EWOULDBLOCK) return;
  const std::string holder = holder_of(descriptor_);
  ::close(descriptor_);
  throw UserError(fmt::format(
      "another run{} is writing this corpus; wait for it or choose another --out", holder));
}

DemoLock::~DemoLock() {
  ::close(descriptor_);
}

}  // namespace myxtts::corpus
