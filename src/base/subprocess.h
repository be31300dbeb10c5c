#pragma once

#include <chrono>
#include <cstddef>
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
};

enum class ChildEnd { kExited, kSignalled, kTimedOut, kTooMuchOutput, kNotFound };

struct ChildResult {
  ChildEnd end = ChildEnd::kExited;
  int code = 0;  // exit code, or the number of the signal that ended it
  std::string output;
  std::string errors;  // standard error, at most 64 KiB of it

  bool ok() const { return end == ChildEnd::kExited && code == 0; }
  std::string describe()
      const;  // "exit code 3", "killed by signal 6 (Aborted)", "no answer within 2.0 s"
};

// Runs the program and waits for its end or the deadline; a child past it is killed. The child
// dies with us (parent-death signal). Thread-safe.
ChildResult run_child(const ChildCommand& command);

// True if `program` is in PATH and executable.
bool program_exists(std::string_view program);

}  // namespace xtts::base
