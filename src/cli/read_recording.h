#pragma once

#include <filesystem>

#include "audio/decode.h"

namespace xtts::cli {

// The recording that was named on the command line. Throws UsageError if it is not there (with the
// nearest name that is) or is a folder, and UserError, in words and with a remedy, if it cannot be
// read or is no recording of at most `max_seconds`.
audio::AudioClip read_recording(const std::filesystem::path& file, double max_seconds);

}  // namespace xtts::cli
