#include "speak/vocoder_place.h"

#include <vector>

#include "checkpoint/save_store.h"

namespace xtts::speak {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVocoderName = "vocoder";

// "RUN/" and "." have no name.
fs::path with_name(const fs::path& folder) {
  return (folder / "").lexically_normal().parent_path();
}

fs::path run_of(const fs::path& run_or_save) {
  fs::path path = with_name(run_or_save);
  if (path.filename() == "checkpoints") return path.parent_path();
  if (path.parent_path().filename() == "checkpoints") return path.parent_path().parent_path();
  return path;
}

}  // namespace

std::optional<fs::path> vocoder_of_run(const fs::path& run_or_save) {
  fs::path vocoder = vocoder_folder_of(run_of(run_or_save));
  // A training that has just begun has a folder and no save, or one of step 0.
  const std::vector<checkpoint::SaveEntry> saves =
      checkpoint::SaveStore(checkpoint::checkpoints_of(vocoder)).list();
  if (saves.empty() || saves.back().step == 0) return std::nullopt;
  return vocoder;
}

fs::path vocoder_folder_of(const fs::path& run) {
  return run / kVocoderName;
}

std::optional<fs::path> voice_of_vocoder(const fs::path& vocoder) {
  const fs::path run = with_name(vocoder);
  if (run.filename() != kVocoderName) return std::nullopt;
  fs::path voice = run.has_parent_path() ? run.parent_path() : fs::path(".");
  if (checkpoint::SaveStore(checkpoint::checkpoints_of(voice)).list().empty()) return std::nullopt;
  return voice;
}

}  // namespace xtts::speak
