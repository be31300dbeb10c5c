// Exports a voice, with its vocoder, as one folder for synthesis.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "checkpoint/checkpoint_store.h"

namespace myxtts::synthesis {

// Summary of an exported voice folder.
struct ExportedVoice {
  std::vector<std::string> speakers;
  std::string mel_spec_fingerprint;
  std::int64_t parameters = 0;          // of the voice
  std::int64_t vocoder_parameters = 0;  // 0 without a vocoder
  std::uint64_t bytes = 0;              // of all files
};

// Writes a folder that contains only what synthesis needs: the EMA weights (or the raw weights of a
// checkpoint without EMA), speakers, symbols, configuration and mel spec of the voice, the same of
// the vocoder unless it is null, and a README with a licence note. The folder has the layout of a
// run (VOICE/checkpoints and VOICE/vocoder), so every command that accepts a run accepts it, and
// its checksums are verified when it is read. Optimiser state and local paths are not exported.
//
// Throws UserError if `voice` is a vocoder, if `vocoder` is not one, if their mel specs differ, or
// if `out` exists and is not an empty folder.
ExportedVoice export_voice(const checkpoint::LoadedCheckpoint& voice,
                           const checkpoint::LoadedCheckpoint* vocoder,
                           const std::filesystem::path& out);

}  // namespace myxtts::synthesis
