#include "base/files.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

namespace myxtts::base {
namespace {

// A file is named NAME.tmp.XXXXXX until it is completely written.
constexpr std::string_view kUnfinishedMark = ".tmp.";
constexpr std::size_t kUnfinishedLetters = 6;

// Owns a file descriptor.
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

std::string errno_message(int error) {
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

void fail(ReadResult& result, FileFault fault, std::string detail) {
  result.bytes.clear();
  result.fault = fault;
  result.detail = std::move(detail);
}

// Reads to the end of the file or fails beyond `limit`. `expected` is a first guess: a file may
// grow.
void read_all(int descriptor, std::size_t expected, std::size_t limit, ReadResult& result) {
  constexpr std::size_t kMore = std::size_t{1} << 16U;
  std::string& bytes = result.bytes;
  std::size_t size = 0;
  bytes.resize(expected + 1);  // one extra byte detects the end
  while (true) {
    if (size == bytes.size()) bytes.resize(size + kMore);
    const ssize_t count = ::read(descriptor, bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(result, FileFault::kUnreadable, errno_message(errno));
    if (count == 0) return bytes.resize(size);
    size += static_cast<std::size_t>(count);
    if (size > limit) {
      return fail(result, FileFault::kTooLarge, fmt::format("more than {} bytes", limit));
    }
  }
}

// Throws UserError with the message of errno if a system call failed. errno is read here, because
// the evaluation order of arguments is unspecified.
void require_call(bool ok, std::string_view action, const std::filesystem::path& path) {
  const int error = errno;
  require(ok,
          "cannot {} {}: {}; free disk space or choose another folder",
          action,
          path.string(),
          errno_message(error));
}

void write_all(int descriptor, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    require_call(count >= 0, "write", path);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

// Returns the target of a symbolic link, or the path itself. The link stays, its target is written.
std::filesystem::path resolve_symlink(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  require(!error, "cannot write {}: {}", path.string(), error.message());
  return target;
}

// Throws if the target is a device, a pipe or a folder, which a rename would replace.
void require_replaceable(const std::filesystem::path& target) {
  std::error_code absent;
  const std::filesystem::file_status status = std::filesystem::status(target, absent);
  require_usage(!std::filesystem::exists(status) || std::filesystem::is_regular_file(status),
                "{} is a {}, expected a regular file; choose another name",
                target.string(),
                std::filesystem::is_directory(status) ? "folder" : "device or pipe");
}

// Opens a new file in the target's folder. The random name keeps concurrent processes apart.
int open_temporary(const std::filesystem::path& target, std::string& name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  int descriptor = -1;
  do {
    name = target.string() + std::string(kUnfinishedMark);
    for (std::size_t i = 0; i < kUnfinishedLetters; ++i)
      name += kLetters[random() % kLetters.size()];
    descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EEXIST);
  require_call(descriptor >= 0, "create a temporary file for", target);
  return descriptor;
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

std::string format_fault(const ReadResult& file) {
  switch (file.fault) {
    case FileFault::kNone:
      return "is readable";
    case FileFault::kMissing:
      return "does not exist";
    case FileFault::kDirectory:
      return "is a folder";
    case FileFault::kNotRegular:
      return "is not a regular file";
    case FileFault::kLinkLoop:
      return "is a symbolic link loop";
    case FileFault::kTooLarge:
      return fmt::format("is too large ({})", file.detail);
    case FileFault::kUnreadable:
      break;
  }
  return fmt::format("cannot be read ({})", file.detail);
}

void read_regular_file(const std::filesystem::path& path,
                       std::size_t limit_bytes,
                       ReadResult& result) {
  result.fault = FileFault::kNone;
  result.detail.clear();
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!file.ok()) return fail(result, fault_of_errno(errno), errno_message(errno));

  struct stat status {};
  if (::fstat(file.get(), &status) != 0) {
    return fail(result, FileFault::kUnreadable, errno_message(errno));
  }
  if (S_ISDIR(status.st_mode)) return fail(result, FileFault::kDirectory, "is a directory");
  if (!S_ISREG(status.st_mode)) {
    return fail(
        result, FileFault::kNotRegular, "is a pipe, a socket or a device, not a regular file");
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > limit_bytes) {
    return fail(result, FileFault::kTooLarge, fmt::format("{} bytes, limit {}", size, limit_bytes));
  }
  read_all(file.get(), size, limit_bytes, result);
}

ReadResult read_regular_file(const std::filesystem::path& path, std::size_t limit_bytes) {
  ReadResult result;
  read_regular_file(path, limit_bytes, result);
  return result;
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
  const std::filesystem::path target = resolve_symlink(path);
  require_replaceable(target);
  const std::filesystem::path parent = target.has_parent_path() ? target.parent_path() : ".";
  std::error_code error;
  std::filesystem::create_directories(parent, error);
  require(!error, "cannot create the folder {}: {}", parent.string(), error.message());

  std::string temporary;
  const Descriptor file(open_temporary(target, temporary));
  try {
    write_all(file.get(), bytes, path);
    require_call(::fsync(file.get()) == 0, "sync", path);
    require_call(::rename(temporary.c_str(), target.c_str()) == 0, "replace", path);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

bool is_unfinished_write(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const std::size_t tail = kUnfinishedMark.size() + kUnfinishedLetters;
  return name.size() > tail &&
         name.compare(name.size() - tail, kUnfinishedMark.size(), kUnfinishedMark) == 0;
}

std::vector<std::string> sibling_names(const std::filesystem::path& path) {
  std::vector<std::string> names;
  std::error_code ignored;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::filesystem::directory_iterator entry(folder, ignored);
  for (const std::filesystem::directory_iterator end; entry != end && !ignored;
       entry.increment(ignored)) {
    names.push_back(entry->path().filename().string());
  }
  return names;
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
  // A link loop counts as inside: reading it reports kLinkLoop.
  if (error) return error == std::errc::too_many_symbolic_link_levels;
  const auto [left, right] =
      std::mismatch(real_root.begin(), real_root.end(), target.begin(), target.end());
  return left == real_root.end() && right != target.end();
}

}  // namespace myxtts::base
