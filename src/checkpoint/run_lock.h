#pragma once

#include <filesystem>

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

}  // namespace xtts::checkpoint
