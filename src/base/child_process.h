// Pipes, signal masks and vfork/exec for starting child processes (used by subprocess.h and
// persistent_child.h).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <signal.h>
#include <sys/types.h>

namespace myxtts::base {

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

// Blocks SIGPIPE in the calling thread for the lifetime of the object and discards a pending one,
// so that a write to a pipe without a reader fails with EPIPE. Other threads are not affected.
class SigpipeBlock {
 public:
  SigpipeBlock();
  ~SigpipeBlock();
  SigpipeBlock(const SigpipeBlock&) = delete;
  SigpipeBlock& operator=(const SigpipeBlock&) = delete;

 private:
  sigset_t sigpipe_{};
  sigset_t previous_mask_{};
};

// Returns the path of an executable: looked up in PATH, or `program` itself if it contains a slash.
// Returns nullopt if there is none.
std::optional<std::string> find_program(std::string_view program);

// Setup of the child between vfork and exec.
struct ChildOptions {
  int in = -1, out = -1, err = -1;  // descriptors for stdin, stdout and stderr
  bool new_process_group = false;   // the child leads a process group of its own
  bool dies_with_thread = false;    // killed when the thread that started it ends
};

// Starts `program` and returns its pid. Throws UserError if no process can be created. Until exec,
// the child shares the parent's memory and makes only async-signal-safe calls, because other
// threads may hold any lock. The caller blocks, with signals masked, until exec: a program on a
// disk that does not respond delays it.
pid_t start_child(const std::string& program,
                  const std::vector<std::string>& argv,
                  const ChildOptions& options);

}  // namespace myxtts::base
