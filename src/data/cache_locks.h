// Locks on segment files of the feature cache. They are open file description locks of fcntl on two
// bytes behind any content. The system releases them when the process ends. Each lock belongs to
// its descriptor, so two caches in one process are two users.
#pragma once

namespace myxtts::data {

enum class LockResult {
  kHeld,
  kTaken,   // another user holds a conflicting lock
  kUnknown  // the file system has no locks, or the descriptor does not permit this one
};

// Locks a mapped segment against removal. Shared by all users.
LockResult lock_use(int file);

// Locks a segment for removal: excludes all current and new users. Needs a writable descriptor.
LockResult lock_removal(int file);

// Locks a segment for appending: one writer beside any users. Needs a writable descriptor.
LockResult lock_writing(int file);

void unlock_writing(int file);

}  // namespace myxtts::data
