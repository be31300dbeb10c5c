#pragma once

#include <string>

#include "audio/mel.h"
#include "audio/mel_spec.h"

namespace xtts::audio {

// A PNG file: the mel with a time axis in seconds, a frequency axis in Hz, a colour bar and the
// title above. Same arguments, same bytes. Characters of the title outside ASCII are drawn as '?'.
// A long mel is averaged down in time to stay below about 1,600 pixels.
std::string mel_png(const Mel& mel, const MelSpec& contract, const std::string& title);

}  // namespace xtts::audio
