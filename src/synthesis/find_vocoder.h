// Finds the vocoder that belongs to a voice.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "checkpoint/checkpoint_store.h"

namespace myxtts::synthesis {

// The value of --vocoder that selects Griffin-Lim instead of a trained vocoder.
inline constexpr std::string_view kGriffinLim = "griffin-lim";

// Returns RUN/vocoder if it has a checkpoint after step 0. `run_or_checkpoint` is RUN,
// RUN/checkpoints or one checkpoint of RUN.
std::optional<std::filesystem::path> vocoder_of_run(const std::filesystem::path& run_or_checkpoint);

// Returns the vocoder for a voice: the newest valid checkpoint of `named` (a run, a checkpoint or
// kGriffinLim), or of vocoder_of_run(voice) if `named` is empty. Returns nothing for Griffin-Lim.
// Throws UsageError if `named` does not exist, UserError if it has no valid checkpoint.
std::optional<checkpoint::LoadedCheckpoint> find_vocoder(const std::string& named,
                                                         const std::filesystem::path& voice);

// Returns the default output folder of train-vocoder for the voice RUN; it need not exist.
std::filesystem::path vocoder_folder_of(const std::filesystem::path& run);

// Returns RUN if `vocoder` is RUN/vocoder and RUN has checkpoints.
std::optional<std::filesystem::path> voice_of_vocoder(const std::filesystem::path& vocoder);

}  // namespace myxtts::synthesis
