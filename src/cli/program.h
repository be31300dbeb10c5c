#pragma once

namespace xtts::cli {

// Parses the command line, runs the verb, turns every failure into one line on standard error and
// an exit code: 0 done; 1 the work failed or a check found something; 2 the command line or the
// configuration is wrong; 70 our bug; 128 + n after signal n.
int run_program(int argc, char** argv);

}  // namespace xtts::cli
