#include "base/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "base/error.h"

namespace xtts::base {

TemporaryFolder::TemporaryFolder(const std::string& name) {
  std::error_code error;
  const std::filesystem::path among = std::filesystem::temp_directory_path(error);
  require(!error, "no folder for temporary files: {}; set TMPDIR to one", error.message());
  std::string pattern = (among / (name + "-XXXXXX")).string();
  require(::mkdtemp(pattern.data()) != nullptr,
          "no folder can be made in {}: {}; set TMPDIR to one that may be written to",
          among.string(),
          std::generic_category().message(errno));
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;  // what cannot be removed stays
  std::filesystem::remove_all(path_, error);
}

}  // namespace xtts::base
