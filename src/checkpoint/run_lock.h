#pragma once

#include <filesystem>
#include <optional>

namespace xtts::checkpoint {

// One writer per run folder. The lock is the kernel's (flock on RUN/lock), so that a killed run
// leaves none; the file holds the pid for people.
class RunLock {
 public:
  // Creates the folder if needed. Throws UserError that names the pid if another run holds it.
  explicit RunLock(const std::filesystem::path& run);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int file_ = -1;
};

// The process that is at work in this run folder; absent if none is. Looks without locking, so that
// it never stands in the way of a run that starts; where that process is another user's, its number
// has to do.
std::optional<int> pid_at_work(const std::filesystem::path& run);

}  // namespace xtts::checkpoint
