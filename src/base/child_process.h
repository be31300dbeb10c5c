// What starting another program takes, for those who then talk to it: subprocess and
// resident_child.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <signal.h>
#include <sys/types.h>

namespace xtts::base {

class Pipe {
 public:
  Pipe();  // throws UserError when there are too many open files
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int read_end() const { return ends_[0]; }  // -1 once closed
  int write_end() const { return ends_[1]; }
  void close_read() { close_end(0); }
  void close_write() { close_end(1); }

 private:
  void close_end(std::size_t i);
  std::array<int, 2> ends_{-1, -1};
};

// Writing to a reader that has gone must be an error of that write, not our end. The signal is held
// back in this thread alone and taken away, because what other threads do with it is not ours.
class PipeSignalHeld {
 public:
  PipeSignalHeld();
  ~PipeSignalHeld();
  PipeSignalHeld(const PipeSignalHeld&) = delete;
  PipeSignalHeld& operator=(const PipeSignalHeld&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

// Where PATH has it, or the name itself when it is a path; absent: nothing that can be executed.
std::optional<std::string> find_program(std::string_view program);

// What is done in the child before it becomes the program.
struct ChildStart {
  int in = -1, out = -1, err = -1;  // become its standard input and outputs
  bool is_group = false;            // it and its processes are one group
  bool dies_with_thread = false;    // killed when the thread that started it ends
};

// Throws UserError when no process can be made. Until it is the program, the child shares our
// memory and makes only async-signal-safe calls: other threads of ours may hold any lock at that
// moment. The caller waits for that, with signals held: a program on a disk that does not answer
// holds it up.
pid_t start_child(const std::string& program,
                  const std::vector<std::string>& argv,
                  const ChildStart& start);

}  // namespace xtts::base
