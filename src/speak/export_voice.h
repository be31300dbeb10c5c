#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "checkpoint/checkpoint_store.h"

namespace xtts::speak {

// What was written.
struct ExportedVoice {
  std::vector<std::string> speakers;
  std::string mel_spec_fingerprint;
  std::int64_t parameters = 0;          // of the voice
  std::int64_t vocoder_parameters = 0;  // 0 without a vocoder
  std::uint64_t bytes = 0;              // of all files
};

// One folder with what speaking needs and nothing else: the averaged weights (or the last ones
// where there is no average), speakers, symbols, configuration and mel contract of a voice, those
// of a vocoder unless it is null, and a note on licences. It is laid out as a run
// (VOICE/checkpoints and VOICE/vocoder), so that whatever speaks with a run speaks with it; every
// byte is verified when it is read. It holds nothing of the training: no optimiser, no path of this
// machine.
//
// Throws UserError if `voice` is a vocoder or `vocoder` none, if they were trained on mels of
// different contracts, or if `out` is there and is not an empty folder.
ExportedVoice export_voice(const checkpoint::LoadedCheckpoint& voice,
                           const checkpoint::LoadedCheckpoint* vocoder,
                           const std::filesystem::path& out);

}  // namespace xtts::speak
