#pragma once

#include <filesystem>
#include <optional>

namespace myxtts::checkpoint {

// Locks a run folder for one writer. The kernel releases the lock (flock on RUN/lock) if the
// process is killed. The file holds the pid for users.
class RunLock {
 public:
  // Creates the folder if needed. Throws UserError with the pid if another run holds the lock.
  explicit RunLock(const std::filesystem::path& run);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int file_ = -1;
};

// Returns the pid of the process that holds the lock of the run folder, nullopt if there is none.
// Takes no lock, so that it never blocks a starting run. A process of another user is only checked
// by its pid.
std::optional<int> running_pid(const std::filesystem::path& run);

}  // namespace myxtts::checkpoint
