// LD_PRELOAD library that simulates a slow disk or network: it delays opening and reading files
// with a given suffix. tests/cli/training.py compiles it.
//
//   SLOW_FILES_SUFFIX=.wav          suffix of the delayed files; unset: none
//   SLOW_FILES_OPEN_S=0.02          delay of each open() in seconds
//   SLOW_FILES_BYTES_PER_S=500000   total read bandwidth of all delayed files
//
// Delays use no CPU time. Results and errno are those of the system.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdarg>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

double number_from_environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? 0.0 : std::strtod(value, nullptr);
}

bool is_slow(std::string_view path) {
  static const char* const suffix = std::getenv("SLOW_FILES_SUFFIX");
  return suffix != nullptr && path.ends_with(suffix);
}

bool is_slow(int descriptor) {
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), path, sizeof path);
  return length > 0 && is_slow(std::string_view(path, static_cast<std::size_t>(length)));
}

void delay_open() {
  static const std::chrono::duration<double> delay(number_from_environment("SLOW_FILES_OPEN_S"));
  std::this_thread::sleep_for(delay);
}

// Reads share the bandwidth in order of their calls.
void delay_read(ssize_t count) {
  static const double bytes_per_s = number_from_environment("SLOW_FILES_BYTES_PER_S");
  static std::mutex mutex;
  static Clock::time_point free_at;
  if (bytes_per_s <= 0.0 || count <= 0) return;
  Clock::time_point until;
  {
    const std::lock_guard lock(mutex);
    const std::chrono::duration<double> duration(static_cast<double>(count) / bytes_per_s);
    free_at =
        std::max(free_at, Clock::now()) + std::chrono::duration_cast<Clock::duration>(duration);
    until = free_at;
  }
  std::this_thread::sleep_until(until);
}

template <typename Function>
Function* system_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

ssize_t delayed(int descriptor, ssize_t count) {
  const int error = errno;
  if (is_slow(descriptor)) delay_read(count);
  errno = error;
  return count;
}

}  // namespace

// Replaces the system functions. open() has an optional mode argument.
extern "C" {

int open(const char* path, int flags, ...) {
  static auto* const next = system_function<int(const char*, int, ...)>("open");
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  if (is_slow(path)) delay_open();
  return next(path, flags, mode);
}

ssize_t read(int descriptor, void* bytes, size_t count) {
  static auto* const next = system_function<ssize_t(int, void*, size_t)>("read");
  return delayed(descriptor, next(descriptor, bytes, count));
}

ssize_t pread(int descriptor, void* bytes, size_t count, off_t offset) {
  static auto* const next = system_function<ssize_t(int, void*, size_t, off_t)>("pread");
  return delayed(descriptor, next(descriptor, bytes, count, offset));
}

}  // extern "C"
