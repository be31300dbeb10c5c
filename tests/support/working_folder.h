#pragma once

#include <filesystem>

namespace xtts::support {

// Changes into a folder for the length of a test.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::filesystem::path& dir)
      : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(dir);
  }
  ~WorkingFolder() { std::filesystem::current_path(before_); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  std::filesystem::path before_;
};

}  // namespace xtts::support
