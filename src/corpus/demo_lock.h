#pragma once

#include <filesystem>

namespace xtts::corpus {

// Holds a folder for one run, as long as it lives. The lock is the system's own (flock) and lies on
// the folder itself: it leaves no file behind and ends with the process, however that ends.
class DemoLock {
 public:
  // Creates the folder if it is absent. Throws UserError that names the other process if the folder
  // is held, UsageError if `folder` is there and is no folder.
  explicit DemoLock(const std::filesystem::path& folder);
  ~DemoLock();

  DemoLock(const DemoLock&) = delete;
  DemoLock& operator=(const DemoLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace xtts::corpus
