#pragma once

#include <filesystem>

namespace myxtts::corpus {

// Locks a demo corpus folder for one run. The lock is an flock on the folder itself: it leaves no
// file, and the kernel releases it when the process ends.
class DemoLock {
 public:
  // Creates the folder if it is absent. Throws UserError with the pid if another process holds the
  // lock, UsageError if `folder` is not a folder.
  explicit DemoLock(const std::filesystem::path& folder);
  ~DemoLock();

  DemoLock(const DemoLock&) = delete;
  DemoLock& operator=(const DemoLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace myxtts::corpus
