// Bytes from outside as text that may be shown, and words that may be typed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace xtts::base {

// The bytes as text that is safe to print and to put into JSON: what is not UTF-8 and control
// characters become \xNN, and everything after `max_bytes` becomes "...".
std::string printable(std::string_view bytes, std::size_t max_bytes = 80);

// The word as a shell reads it back: as it is if it is plain, else in quotes. Bytes that would
// command the terminal are written as \xNN inside of $'...', which bash and zsh understand.
std::string shell_word(std::string_view word);

}  // namespace xtts::base
