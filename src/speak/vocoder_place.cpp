#include "speak/vocoder_place.h"

#include <system_error>

namespace xtts::speak {
namespace {

namespace fs = std::filesystem;

fs::path run_of(const fs::path& run_or_save) {
  // "RUN/" and "." have no name.
  const fs::path path = (run_or_save / "").lexically_normal().parent_path();
  if (path.filename() == "checkpoints") return path.parent_path();
  if (path.parent_path().filename() == "checkpoints") return path.parent_path().parent_path();
  return path;
}

}  // namespace

std::optional<fs::path> vocoder_of_run(const fs::path& run_or_save) {
  const fs::path vocoder = run_of(run_or_save) / "vocoder";
  std::error_code ignored;
  if (!fs::is_directory(vocoder, ignored)) return std::nullopt;
  return vocoder;
}

}  // namespace xtts::speak
