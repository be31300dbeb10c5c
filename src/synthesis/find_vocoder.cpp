#include "synthesis/find_vocoder.h"

#include <vector>

#include <fmt/format.h>

#include "base/error.h"

namespace myxtts::synthesis {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVocoderName = "vocoder";

// Returns the absolute path, whose last component is a name: "RUN/", "." and ".." have none.
fs::path absolute_path(const fs::path& folder) {
  return (fs::absolute(folder) / "").lexically_normal().parent_path();
}

// Makes an absolute path relative to the working folder if the user typed a relative path.
fs::path as_typed(const fs::path& absolute, const fs::path& typed) {
  return typed.is_absolute() ? absolute : absolute.lexically_proximate(fs::current_path());
}

fs::path run_of(const fs::path& run_or_checkpoint) {
  fs::path path = absolute_path(run_or_checkpoint);
  if (checkpoint::is_checkpoint(path)) path = path.parent_path();
  // A run itself may be named "checkpoints".
  const bool is_inner =
      path.filename() == "checkpoints" && checkpoint::checkpoints_of(path) == path;
  return is_inner ? path.parent_path() : path;
}

}  // namespace

std::optional<fs::path> vocoder_of_run(const fs::path& run_or_checkpoint) {
  fs::path vocoder = vocoder_folder_of(run_of(run_or_checkpoint));
  // A vocoder run that has just started has no checkpoint, or one of step 0.
  const std::vector<checkpoint::CheckpointEntry> checkpoints =
      checkpoint::CheckpointStore(checkpoint::checkpoints_of(vocoder)).list();
  if (checkpoints.empty() || checkpoints.back().step == 0) return std::nullopt;
  return as_typed(vocoder, run_or_checkpoint);
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
    throw UserError(fmt::format("{}; use --vocoder griffin-lim to synthesise without this vocoder",
                                error.what()));
  }
}

fs::path vocoder_folder_of(const fs::path& run) {
  return run / kVocoderName;
}

std::optional<fs::path> voice_of_vocoder(const fs::path& vocoder) {
  const fs::path run = absolute_path(vocoder);
  if (run.filename() != kVocoderName) return std::nullopt;
  const fs::path voice = run.parent_path();
  if (checkpoint::CheckpointStore(checkpoint::checkpoints_of(voice)).list().empty())
    return std::nullopt;
  return as_typed(voice, vocoder);
}

}  // namespace myxtts::synthesis
