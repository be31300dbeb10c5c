// Phonemises text with espeak-ng in a child process: it is GPL, not thread-safe, and crashes on
// some texts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace myxtts::text {

// IPA of one piece of text, or the reason why there is none.
struct Pronunciation {
  std::string phonemes;
  std::string fault;  // empty on success
};

// Returns "en-us" for "en"; for any other language the espeak-ng voice of that name.
std::string espeak_voice_of(std::string_view language);

// Throws UsageError with the nearest name if espeak-ng has no such voice, and UserError if
// espeak-ng is not installed.
void require_espeak_voice(const std::string& voice);

// Returns the command that phonemises the lines of its standard input, and the input for the
// pieces.
std::vector<std::string> espeak_command(const std::string& voice);
std::string espeak_input(const std::string& voice, std::span<const std::string> pieces);

// Phonemises one piece in one child process (reference implementation). A crash or a timeout of two
// seconds is reported as the fault. A piece is one line without control characters of at most 900
// bytes. Throws UserError if espeak-ng is not installed.
Pronunciation phonemise_one(const std::string& voice, const std::string& piece);

// Phonemises all pieces in one child process; same results as phonemise_one(), in order. If the
// child fails, the pieces are bisected until only the piece that crashes it has a fault.
std::vector<Pronunciation> phonemise_many(const std::string& voice,
                                          std::span<const std::string> pieces);

// Returns the number of espeak-ng children that crashed or timed out in this process.
std::int64_t num_espeak_restarts();

// Splits espeak-ng's output into groups at empty lines. Removes language switch marks "(en)" and
// the digits of its phoneme names ("q1").
std::vector<std::string> parse_espeak_output(std::string_view output);

}  // namespace myxtts::text
