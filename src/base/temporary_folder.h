#pragma once

#include <filesystem>
#include <string>

namespace myxtts::base {

// A unique temporary folder that the destructor removes with its content. A killed process leaves
// the folder behind.
class TemporaryFolder {
 public:
  // Creates a folder named `name` plus a random suffix. Throws UserError if that fails.
  explicit TemporaryFolder(const std::string& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace myxtts::base
