#pragma once

namespace xtts::base {

// True if the stream is a terminal that understands control codes (a TTY, TERM not "dumb").
bool stderr_is_terminal();
bool stdout_is_terminal();

// Columns of the terminal on standard error, 80 when unknown.
int terminal_width();

}  // namespace xtts::base
