#include "data/audio_file.h"

#include <algorithm>
#include <chrono>

#include <sys/stat.h>

namespace myxtts::data {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kSettleNs = 3 * kSecondNs;  // more than the coarsest clock resolution

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * kSecondNs + time.tv_nsec;
}

}  // namespace

std::optional<FileStamp> stamp_of(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileStamp{.size = status.st_size,
                   .mtime_ns = nanoseconds(status.st_mtim),
                   .ctime_ns = nanoseconds(status.st_ctim),
                   .inode = status.st_ino,
                   .device = status.st_dev};
}

std::int64_t wall_clock_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

bool is_settled(const FileStamp& stamp, std::int64_t now_ns) {
  return std::max(stamp.mtime_ns, stamp.ctime_ns) <= now_ns - kSettleNs;
}

void read_audio_file(const std::filesystem::path& path,
                     std::size_t limit_bytes,
                     AudioFile& file,
                     std::int64_t now_ns) {
  file.path = path;
  file.stamp.reset();
  const std::optional<FileStamp> before = stamp_of(path);
  base::read_regular_file(path, limit_bytes, file.read);
  if (!file.ok()) return;

  file.content = base::sha256(file.read.bytes);
  const bool unchanged = before && before == stamp_of(path);
  if (unchanged && is_settled(*before, now_ns)) file.stamp = before;
}

AudioFile read_audio_file(const std::filesystem::path& path,
                          std::size_t limit_bytes,
                          std::int64_t now_ns) {
  AudioFile file;
  read_audio_file(path, limit_bytes, file, now_ns);
  return file;
}

}  // namespace myxtts::data
