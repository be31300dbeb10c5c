#include "pipeline/cache_locks.h"

#include <cerrno>

#include <fcntl.h>

namespace xtts::pipeline {
namespace {

// The same in every version: an older one must see that a later one uses a file, and the other way.
constexpr off_t kUseByte = 1'000'000'000'000;
constexpr off_t kWritingByte = kUseByte + 1;

LockAnswer set_lock(int file, short type, off_t byte) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  if (::fcntl(file, F_OFD_SETLK, &lock) == 0) return LockAnswer::kHeld;
  return errno == EAGAIN || errno == EACCES ? LockAnswer::kTaken : LockAnswer::kUnknown;
}

}  // namespace

LockAnswer lock_use(int file) {
  return set_lock(file, F_RDLCK, kUseByte);
}

LockAnswer lock_removal(int file) {
  return set_lock(file, F_WRLCK, kUseByte);
}

LockAnswer lock_writing(int file) {
  return set_lock(file, F_WRLCK, kWritingByte);
}

void unlock_writing(int file) {
  set_lock(file, F_UNLCK, kWritingByte);
}

}  // namespace xtts::pipeline
