#pragma once

#include <string>

#include "audio/mel.h"
#include "audio/mel_spec.h"

namespace myxtts::audio {

// Renders a mel spectrogram as a PNG file with a time axis in seconds, a frequency axis in Hz, a
// colour bar and a title. Same arguments, same bytes. Non-ASCII title characters are drawn as '?'.
// A long mel is averaged in time to stay below about 1,600 pixels.
std::string mel_png(const Mel& mel, const MelSpec& spec, const std::string& title);

}  // namespace myxtts::audio
