// Entry point of the command line program.
#pragma once

namespace myxtts::cli {

// Parses the command line and runs the command. Reports a failure as one line on standard error.
// Returns the exit code: 0 success; 1 failure or problems found; 2 wrong command line or
// configuration; 70 internal error; 128 + n after signal n.
int run_program(int argc, char** argv);

}  // namespace myxtts::cli
