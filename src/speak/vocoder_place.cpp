#include "speak/vocoder_place.h"

#include <vector>

#include <fmt/format.h>

#include "base/error.h"

namespace xtts::speak {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVocoderName = "vocoder";

// "RUN/", "." and ".." have no name, and a save's name alone does not say where it lies.
fs::path whole_path(const fs::path& folder) {
  return (fs::absolute(folder) / "").lexically_normal().parent_path();
}

// Seen from where a relative path was typed.
fs::path as_typed(const fs::path& whole, const fs::path& typed) {
  return typed.is_absolute() ? whole : whole.lexically_proximate(fs::current_path());
}

fs::path run_of(const fs::path& run_or_save) {
  fs::path path = whole_path(run_or_save);
  if (checkpoint::is_checkpoint(path)) path = path.parent_path();
  // A run may have that name, too.
  const bool is_inner =
      path.filename() == "checkpoints" && checkpoint::checkpoints_of(path) == path;
  return is_inner ? path.parent_path() : path;
}

}  // namespace

std::optional<fs::path> vocoder_of_run(const fs::path& run_or_save) {
  fs::path vocoder = vocoder_folder_of(run_of(run_or_save));
  // A training that has just begun has a folder and no save, or one of step 0.
  const std::vector<checkpoint::CheckpointEntry> saves =
      checkpoint::CheckpointStore(checkpoint::checkpoints_of(vocoder)).list();
  if (saves.empty() || saves.back().step == 0) return std::nullopt;
  return as_typed(vocoder, run_or_save);
}

std::optional<checkpoint::LoadedCheckpoint> find_vocoder(const std::string& named,
                                                         const fs::path& voice) {
  if (named == kGriffinLim) return std::nullopt;
  if (!named.empty()) return checkpoint::find_checkpoint(named);
  const std::optional<fs::path> own = vocoder_of_run(voice);
  if (!own) return std::nullopt;
  try {
    return checkpoint::find_checkpoint(*own);
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}; speak without it by --vocoder griffin-lim", error.what()));
  }
}

fs::path vocoder_folder_of(const fs::path& run) {
  return run / kVocoderName;
}

std::optional<fs::path> voice_of_vocoder(const fs::path& vocoder) {
  const fs::path run = whole_path(vocoder);
  if (run.filename() != kVocoderName) return std::nullopt;
  const fs::path voice = run.parent_path();
  if (checkpoint::CheckpointStore(checkpoint::checkpoints_of(voice)).list().empty())
    return std::nullopt;
  return as_typed(voice, vocoder);
}

}  // namespace xtts::speak
