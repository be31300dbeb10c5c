#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xtts::corpus {

// The built-in speakers of a demo corpus: flite for "en", espeak-ng for "fa". The first one is the
// default. Throws UsageError for any other language.
const std::vector<std::string>& demo_voices(std::string_view language);

// Throws UsageError for a voice that the language does not have (with the nearest one) or that is
// named twice, and UserError if the speaking program, or a voice of it, is not installed (with
// the line that installs it).
void require_demo_voices(std::string_view language, const std::vector<std::string>& voices);

// A mono 16-bit WAV file of the text at the voice's own rate (flite 16 kHz, espeak-ng 22.05 kHz).
// Same arguments, same bytes, on machines with the same version of the program. The text reaches
// the program as one argument or on its standard input: it is never read as an option or a file
// name. Thread-safe. Throws UserError if the program fails, hangs or stays silent.
std::string speak_demo(std::string_view language,
                       const std::string& voice,
                       const std::string& text);

}  // namespace xtts::corpus
