#pragma once

#include <filesystem>

#include "audio/decode.h"

namespace myxtts::audio {

// Reads an audio file named on the command line. Throws UsageError with the nearest existing name
// if the file is missing, UsageError if it is a folder, and UserError with a suggestion if it
// cannot be read or is not audio of at most `max_seconds`.
audio::AudioClip read_recording(const std::filesystem::path& file, double max_seconds);

}  // namespace myxtts::audio
