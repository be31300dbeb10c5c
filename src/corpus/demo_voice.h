// Synthesises demo recordings with flite or espeak-ng.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace myxtts::corpus {

// Returns the voices of a demo corpus: flite for "en", espeak-ng for "fa". The first one is the
// default. Throws UsageError for any other language.
const std::vector<std::string>& demo_voices(std::string_view language);

// Throws UsageError for an unknown voice (with the nearest name) or a duplicate, and UserError if
// the speech program or its voice is not installed (with the command that installs it).
void require_demo_voices(std::string_view language, const std::vector<std::string>& voices);

// Returns a mono 16-bit WAV file of the text at the voice's sample rate (flite 16 kHz, espeak-ng
// 22.05 kHz). The bytes depend only on the arguments and the program version. The text is passed as
// one argument or on standard input, so it is never taken for an option or a file name.
// Thread-safe. Throws UserError if the program fails, times out or gives no audio.
std::string synthesise_demo(std::string_view language,
                            const std::string& voice,
                            const std::string& text);

}  // namespace myxtts::corpus
