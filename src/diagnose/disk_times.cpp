#include "diagnose/disk_times.h"

#include <chrono>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace myxtts::diagnose {
namespace {

using DiskClock = std::chrono::steady_clock;

constexpr std::size_t kBlockBytes = std::size_t{1} << 18U;

double seconds_from(DiskClock::time_point start) {
  return std::chrono::duration<double>(DiskClock::now() - start).count();
}

}  // namespace

void drop_cached_pages(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return;
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  close(descriptor);
}

void DiskTimes::read(const std::filesystem::path& file) {
  drop_cached_pages(file);
  std::vector<char> block(kBlockBytes);
  const DiskClock::time_point start = DiskClock::now();
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return;
  ssize_t count = ::read(descriptor, block.data(), 1);
  ++num_files_;
  first_s_ += seconds_from(start);
  const DiskClock::time_point rest = DiskClock::now();
  while (count > 0) {
    count = ::read(descriptor, block.data(), block.size());
    if (count > 0) rest_bytes_ += static_cast<double>(count);
  }
  rest_s_ += seconds_from(rest);
  close(descriptor);
}

std::optional<double> DiskTimes::first_byte_s() const {
  if (num_files_ == 0) return std::nullopt;
  return first_s_ / static_cast<double>(num_files_);
}

std::optional<double> DiskTimes::bytes_per_s() const {
  if (rest_bytes_ <= 0.0 || rest_s_ <= 0.0) return std::nullopt;
  return rest_bytes_ / rest_s_;
}

}  // namespace myxtts::diagnose
