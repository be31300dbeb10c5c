#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "checkpoint/checkpoint_store.h"

namespace xtts::speak {

// What is said instead of a vocoder's run for none at all.
inline constexpr std::string_view kGriffinLim = "griffin-lim";

// The vocoder that a voice has of its own: RUN/vocoder, if there is a save in it that has learned
// something. `run_or_save` is RUN, RUN/checkpoints or one save in there.
std::optional<std::filesystem::path> vocoder_of_run(const std::filesystem::path& run_or_save);

// The vocoder that turns frames of a voice into sound: the newest good save of `named` (a run, one
// save, or kGriffinLim), or where nothing is named that of its own. Absent: Griffin-Lim does.
// Throws UsageError when what is named is not there, UserError when no save of it is good.
std::optional<checkpoint::LoadedCheckpoint> find_vocoder(const std::string& named,
                                                         const std::filesystem::path& voice);

// Where train-vocoder puts that of the voice RUN, whether it is there or not.
std::filesystem::path vocoder_folder_of(const std::filesystem::path& run);

// The other way round: RUN, if `vocoder` is RUN/vocoder and RUN has saves.
std::optional<std::filesystem::path> voice_of_vocoder(const std::filesystem::path& vocoder);

}  // namespace xtts::speak
