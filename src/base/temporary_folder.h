#pragma once

#include <filesystem>
#include <string>

namespace xtts::base {

// A folder of one's own among the system's temporary files, removed with all it holds at the end of
// its life. A process that is killed leaves it there.
class TemporaryFolder {
 public:
  // Named `name` and some letters that nobody else has. Throws UserError if it cannot be made.
  explicit TemporaryFolder(const std::string& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace xtts::base
