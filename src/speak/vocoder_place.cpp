#include "speak/vocoder_place.h"

#include <vector>

#include "checkpoint/save_store.h"

namespace xtts::speak {
namespace {

namespace fs = std::filesystem;

fs::path run_of(const fs::path& run_or_save) {
  // "RUN/" and "." have no name.
  fs::path path = (run_or_save / "").lexically_normal().parent_path();
  if (path.filename() == "checkpoints") return path.parent_path();
  if (path.parent_path().filename() == "checkpoints") return path.parent_path().parent_path();
  return path;
}

}  // namespace

std::optional<fs::path> vocoder_of_run(const fs::path& run_or_save) {
  fs::path vocoder = run_of(run_or_save) / "vocoder";
  // A training that has just begun has a folder and no save, or one of step 0.
  const std::vector<checkpoint::SaveEntry> saves =
      checkpoint::SaveStore(checkpoint::checkpoints_of(vocoder)).list();
  if (saves.empty() || saves.back().step == 0) return std::nullopt;
  return vocoder;
}

}  // namespace xtts::speak
