#include "data/cache_locks.h"

#include <cerrno>

#include <fcntl.h>

namespace myxtts::data {
namespace {

// Equal in all versions, so that older and newer programs see each other's locks.
constexpr off_t kUseByte = 1'000'000'000'000;
constexpr off_t kWritingByte = kUseByte + 1;

LockResult set_lock(int file, short type, off_t byte) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  if (::fcntl(file, F_OFD_SETLK, &lock) == 0) return LockResult::kHeld;
  return errno == EAGAIN || errno == EACCES ? LockResult::kTaken : LockResult::kUnknown;
}

}  // namespace

LockResult lock_use(int file) {
  return set_lock(file, F_RDLCK, kUseByte);
}

LockResult lock_removal(int file) {
  return set_lock(file, F_WRLCK, kUseByte);
}

LockResult lock_writing(int file) {
  return set_lock(file, F_WRLCK, kWritingByte);
}

void unlock_writing(int file) {
  set_lock(file, F_UNLCK, kWritingByte);
}

}  // namespace myxtts::data
