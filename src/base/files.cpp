#include "base/files.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

namespace xtts::base {
namespace {

// Owns a descriptor.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool ok() const { return value_ >= 0; }
  int get() const { return value_; }

 private:
  int value_;
};

std::string system_words(int error) {
  return std::error_code(error, std::generic_category()).message();
}

FileFault fault_of_errno(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
      return FileFault::kMissing;
    case ELOOP:
      return FileFault::kLinkLoop;
    case ENXIO:  // a socket, or a FIFO opened the other way
      return FileFault::kNotRegular;
    default:
      return FileFault::kUnreadable;
  }
}

ReadResult failed(FileFault fault, std::string detail) {
  ReadResult result;
  result.fault = fault;
  result.detail = std::move(detail);
  return result;
}

// Reads until the end or `limit`; the size from fstat is only a first guess, a file may grow.
ReadResult read_all(int descriptor, std::size_t expected, std::size_t limit) {
  ReadResult result;
  result.bytes.reserve(expected);
  std::array<char, 1 << 16> block{};
  while (true) {
    const ssize_t count = ::read(descriptor, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed(FileFault::kUnreadable, system_words(errno));
    if (count == 0) return result;
    if (result.bytes.size() + static_cast<std::size_t>(count) > limit) {
      return failed(FileFault::kTooLarge, fmt::format("more than {} bytes", limit));
    }
    result.bytes.append(block.data(), static_cast<std::size_t>(count));
  }
}

void write_all(int descriptor, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    require(count >= 0,
            "cannot write {}: {}; free some space or choose another folder",
            path.string(),
            system_words(errno));
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace

std::string_view name_of(FileFault fault) {
  switch (fault) {
    case FileFault::kNone:
      return "none";
    case FileFault::kMissing:
      return "missing";
    case FileFault::kDirectory:
      return "directory";
    case FileFault::kNotRegular:
      return "not_regular";
    case FileFault::kLinkLoop:
      return "link_loop";
    case FileFault::kUnreadable:
      return "unreadable";
    case FileFault::kTooLarge:
      return "too_large";
  }
  return "unknown";
}

ReadResult read_regular_file(const std::filesystem::path& path, std::size_t limit_bytes) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!file.ok()) return failed(fault_of_errno(errno), system_words(errno));

  struct stat status {};
  if (::fstat(file.get(), &status) != 0) {
    return failed(FileFault::kUnreadable, system_words(errno));
  }
  if (S_ISDIR(status.st_mode)) return failed(FileFault::kDirectory, "is a directory");
  if (!S_ISREG(status.st_mode)) {
    return failed(FileFault::kNotRegular, "is a pipe, a socket or a device, not a file");
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > limit_bytes) {
    return failed(FileFault::kTooLarge,
                  fmt::format("{} bytes, at most {} are read", size, limit_bytes));
  }
  return read_all(file.get(), size, limit_bytes);
}

std::string read_file_or_throw(const std::filesystem::path& path, std::size_t limit_bytes) {
  ReadResult result = read_regular_file(path, limit_bytes);
  require(result.fault == FileFault::kNone,
          "cannot read {}: {}; check the path and its permissions",
          path.string(),
          result.detail);
  return std::move(result.bytes);
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  const std::filesystem::path parent = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code made;
  std::filesystem::create_directories(parent, made);
  require(!made, "cannot make the folder {}: {}", parent.string(), made.message());

  // mkstemp gives each writer a name of its own, so that two runs cannot write into one file.
  std::string beside = path.string() + ".XXXXXX";
  const Descriptor file(::mkostemp(beside.data(), O_CLOEXEC));
  require(file.ok(), "cannot write into {}: {}", parent.string(), system_words(errno));
  try {
    write_all(file.get(), bytes, path);
    require(::fchmod(file.get(), 0644) == 0 && ::fsync(file.get()) == 0,
            "cannot finish {}: {}",
            path.string(),
            system_words(errno));
    require(::rename(beside.c_str(), path.c_str()) == 0,
            "cannot put {} in place: {}",
            path.string(),
            system_words(errno));
  } catch (...) {
    ::unlink(beside.c_str());
    throw;
  }
}

bool stays_inside(const std::filesystem::path& root, const std::filesystem::path& relative) {
  if (relative.empty() || relative.is_absolute()) return false;
  for (const std::filesystem::path& part : relative) {
    if (part == "..") return false;
  }
  std::error_code error;
  const std::filesystem::path real_root = std::filesystem::weakly_canonical(root, error);
  if (error) return false;
  const std::filesystem::path target = std::filesystem::weakly_canonical(root / relative, error);
  // A loop of links leads nowhere: it is inside, and reading it says link_loop.
  if (error) return error == std::errc::too_many_symbolic_link_levels;
  const auto [left, right] =
      std::mismatch(real_root.begin(), real_root.end(), target.begin(), target.end());
  return left == real_root.end() && right != target.end();
}

}  // namespace xtts::base
