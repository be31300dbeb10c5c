#include "data/cache_folder.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <memory>
#include <random>
#include <system_error>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "data/cache_locks.h"
#include "data/cache_records.h"

namespace myxtts::data {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNameLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::string_view kNameEnding = ".mels";
constexpr std::size_t kLettersInName = 16;

// Returns the status of a regular file, else nullopt. Does not follow links.
std::optional<struct stat> regular_file(int folder, const char* name) {
  struct stat status {};
  const bool there = ::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
  if (!there || !S_ISREG(status.st_mode)) return std::nullopt;
  return status;
}

bool is_absence(int error) {
  return error == ENOENT || error == ELOOP || error == EISDIR || error == ENXIO;
}

std::error_code create_private_folder(const fs::path& path) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) return error;
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return {errno, std::generic_category()};
  }
  return {};
}

}  // namespace

std::string new_segment_name() {
  std::random_device random;
  std::string letters;
  for (std::size_t i = 0; i < kLettersInName; ++i)
    letters += kNameLetters[random() % kNameLetters.size()];
  return fmt::format("v{}-{}{}", kCacheVersion, letters, kNameEnding);
}

std::optional<std::uint32_t> version_in_name(std::string_view name) {
  const std::size_t tail = 1 + kLettersInName + kNameEnding.size();
  if (!name.starts_with('v') || !name.ends_with(kNameEnding) || name.size() < 2 + tail) {
    return std::nullopt;
  }
  const std::string_view letters = name.substr(name.size() - tail + 1, kLettersInName);
  const std::string_view digits = name.substr(1, name.size() - tail - 1);
  std::uint32_t version = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), version);
  const bool ours = read.ec == std::errc() && read.ptr == digits.data() + digits.size() &&
                    name[name.size() - tail] == '-' &&
                    letters.find_first_not_of(kNameLetters) == std::string_view::npos;
  return ours ? std::optional(version) : std::nullopt;
}

int open_member(int folder, const std::string& name) {
  const int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
  int file = -1;
  int error = 0;
  if (regular_file(folder, name.c_str())) {
    file = ::openat(folder, name.c_str(), O_RDWR | flags);
    if (file < 0 && (errno == EACCES || errno == EROFS || errno == EPERM)) {
      file = ::openat(folder, name.c_str(), O_RDONLY | flags);
    }
    error = file >= 0 || is_absence(errno) ? 0 : errno;
  }
  errno = error;
  return file;
}

CacheFolder::CacheFolder(const fs::path& path) {
  const std::error_code error = create_private_folder(path);
  if (!error) descriptor_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::error_code cause = error ? error : std::error_code(errno, std::generic_category());
  require(
      descriptor_ >= 0,
      "cannot use {} as the feature cache folder: {}; choose another folder, or train without the "
      "disk cache",
      path.string(),
      cause.message());
}

CacheFolder::~CacheFolder() {
  ::close(descriptor_);
}

std::vector<CacheFolder::Member> CacheFolder::members() const {
  std::vector<Member> found;
  // A separate descriptor: threads that list concurrently must not share a read position.
  const int again = ::openat(descriptor_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (again < 0) return found;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(again), ::closedir);
  if (!listing) return ::close(again), found;
  while (const dirent* entry = ::readdir(listing.get())) {
    const auto version = version_in_name(entry->d_name);
    const auto status = version ? regular_file(descriptor_, entry->d_name) : std::nullopt;
    if (!status) continue;
    found.push_back({.name = entry->d_name,
                     .version = *version,
                     .bytes = static_cast<std::uint64_t>(status->st_size),
                     .used_ns = status->st_mtim.tv_sec * 1'000'000'000 + status->st_mtim.tv_nsec});
  }
  std::ranges::sort(found, {}, &Member::used_ns);
  return found;
}

std::uint64_t CacheFolder::make_room(std::uint64_t more_bytes, std::uint64_t limit_bytes) const {
  const std::vector<Member> all = members();
  std::uint64_t left = 0;
  for (const Member& member : all)
    left += member.bytes;
  for (const Member& member : all) {
    if (left + more_bytes <= limit_bytes) break;
    if (remove_unused(member.name)) left -= member.bytes;
  }
  return left;
}

bool CacheFolder::remove_unused(const std::string& name) const {
  const int file = open_member(descriptor_, name);
  if (file < 0) return false;
  // The lock is held until the name is removed, so that no process starts to use the file.
  const bool removed =
      lock_removal(file) == LockResult::kHeld && ::unlinkat(descriptor_, name.c_str(), 0) == 0;
  ::close(file);
  return removed;
}

}  // namespace myxtts::data
