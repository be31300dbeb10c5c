// Changes the working directory during a test.
#pragma once

#include <filesystem>

namespace myxtts::support {

// Changes the working directory and restores it on destruction.
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

}  // namespace myxtts::support
