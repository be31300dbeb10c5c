#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace xtts::base {

// A program that is not ours, run at arm's length: it may crash, hang or print without end, and
// costs us one ChildResult.
struct ChildCommand {
  std::vector<std::string> argv;  // argv[0] is looked up in PATH
  std::string input;              // written to its standard input, then closed
  std::chrono::milliseconds deadline{2000};
  std::size_t max_output_bytes = std::size_t{1} << 20;
  // A program that works for minutes, perhaps with processes of its own: they are one group, which
  // is killed as a whole, and also when a signal asks us to stop (base/interrupt.h).
  bool is_job = false;
  std::function<void(std::string_view)> on_errors = {};  // told of its standard error as it comes
};

enum class ChildEnd { kExited, kSignalled, kTimedOut, kTooMuchOutput, kNotFound, kInterrupted };

struct ChildResult {
  ChildEnd end = ChildEnd::kExited;
  int code = 0;  // exit code, or the number of the signal that ended it
  std::string output;
  std::string errors;  // the last 64 KiB of standard error, or a little more

  bool ok() const { return end == ChildEnd::kExited && code == 0; }
  std::string describe()
      const;  // "exit code 3", "killed by signal 6 (Aborted)", "no answer within 2.0 s"
};

// Runs the program and waits for its end or the deadline, which begins when the program is loaded;
// a child past it is killed. The child dies with us (parent-death signal). Thread-safe.
ChildResult run_child(const ChildCommand& command);

// True if `program` is in PATH and executable.
bool program_exists(std::string_view program);

}  // namespace xtts::base
