// Who uses a segment of the feature cache. The locks are the system's own (open file description
// locks of fcntl), on two bytes behind any content: they end with the process, however it ends, and
// leave nothing behind. Each belongs to the descriptor it was taken with, so two caches in one
// process are two users.
#pragma once

namespace xtts::pipeline {

enum class LockAnswer {
  kHeld,
  kTaken,   // by somebody else, in a way that excludes ours
  kUnknown  // the file system has no locks, or the descriptor does not allow this one
};

// For as long as the segment is mapped: nobody may remove it. Many may hold it.
LockAnswer lock_use(int file);

// To remove it: excludes every user, and new ones. Needs a descriptor that may write.
LockAnswer lock_removal(int file);

// To append to it: one at a time, beside its users. Needs a descriptor that may write.
LockAnswer lock_writing(int file);

void unlock_writing(int file);

}  // namespace xtts::pipeline
