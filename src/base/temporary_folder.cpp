#include "base/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "base/error.h"

namespace myxtts::base {

TemporaryFolder::TemporaryFolder(const std::string& name) {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  require(!error,
          "no folder for temporary files: {}; set TMPDIR to a writable folder",
          error.message());
  std::string pattern = (parent / (name + "-XXXXXX")).string();
  require(::mkdtemp(pattern.data()) != nullptr,
          "cannot create a folder in {}: {}; set TMPDIR to a writable folder",
          parent.string(),
          std::generic_category().message(errno));
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;  // ignored: files that cannot be removed stay
  std::filesystem::remove_all(path_, error);
}

}  // namespace myxtts::base
