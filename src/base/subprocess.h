// Runs child processes with a timeout and output limits.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace myxtts::base {

// An external program to run. If it crashes, hangs or prints without end, the ChildResult says so.
struct ChildCommand {
  std::vector<std::string> argv;  // argv[0] is looked up in PATH
  std::string input;              // written to standard input, which is then closed
  std::chrono::milliseconds timeout{2000};
  std::size_t max_output_bytes = std::size_t{1} << 20;
  // True for programs that run for minutes and may start processes of their own. They form a
  // process group that is killed as a whole, also after an interrupt (base/interrupt.h).
  bool is_job = false;
  std::function<void(std::string_view)> on_stderr = {};  // receives standard error while it is read
};

enum class ChildEnd { kExited, kSignalled, kTimedOut, kTooMuchOutput, kNotFound, kInterrupted };

struct ChildResult {
  ChildEnd end = ChildEnd::kExited;
  int code = 0;  // exit code, or number of the signal that ended the child
  std::string output;
  std::string errors;  // the last 64 KiB or slightly more of standard error

  bool ok() const { return end == ChildEnd::kExited && code == 0; }
  std::string message() const;  // "exit code 3", "killed by signal 6 (Aborted)", "timed out"
};

// Runs the program and blocks until it ends. Kills the child at the timeout, which counts from the
// start of the program. The child also dies with the calling thread (parent-death signal).
// Thread-safe.
ChildResult run_child(const ChildCommand& command);

// True if `program` is in PATH and executable.
bool program_exists(std::string_view program);

}  // namespace myxtts::base
