// Escapes untrusted bytes for display and arguments for the shell.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace myxtts::base {

// Returns text that is safe to print and to put into JSON: control characters and bytes that are
// not UTF-8 become \xNN, everything after `max_bytes` becomes "...".
std::string printable(std::string_view bytes, std::size_t max_bytes = 80);

// Quotes a word for the shell if needed. Control characters are written as \xNN inside $'...',
// which bash and zsh understand.
std::string shell_word(std::string_view word);

}  // namespace myxtts::base
