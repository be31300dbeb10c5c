// One poll loop serves the three pipes of the child, so that neither side can block the other.

#include "base/subprocess.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.h"
#include "base/error.h"
#include "base/interrupt.h"

namespace myxtts::base {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxErrorBytes = std::size_t{64} << 10U;

void kill_child(pid_t child, const ChildCommand& command) {
  ::kill(command.is_job ? -child : child, SIGKILL);
}

bool must_stop(const ChildCommand& command) {
  return command.is_job && pending_interrupt() != 0;
}

// Writes the input and reads both outputs of a child. run() returns true when both outputs are
// closed, false after the deadline, too much output or a signal.
class ChildIo {
 public:
  ChildIo(const ChildCommand& command, Pipe& in, Pipe& out, Pipe& err, ChildResult& result)
      : command_(command), in_(in), out_(out), err_(err), result_(result) {
    ::fcntl(in_.write_end(), F_SETFL, O_NONBLOCK);
    if (command_.input.empty()) in_.close_write();
  }

  bool run(Clock::time_point deadline) {
    // A signal may wake another thread than this one.
    const long max_wait_ms = command_.is_job ? 100 : 60000;
    while (out_.read_end() >= 0 || err_.read_end() >= 0) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return end_with(ChildEnd::kTimedOut);
      if (must_stop(command_)) return end_with(ChildEnd::kInterrupted);
      std::array<pollfd, 3> waits{pollfd{in_.write_end(), POLLOUT, 0},
                                  pollfd{out_.read_end(), POLLIN, 0},
                                  pollfd{err_.read_end(), POLLIN, 0}};
      if (::poll(waits.data(), waits.size(), static_cast<int>(std::min<long>(left, max_wait_ms))) <
          0) {
        continue;  // EINTR
      }
      if (waits[0].revents != 0) write_input();
      if (waits[1].revents != 0) read_some(out_, result_.output);
      if (waits[2].revents != 0) read_errors();
      if (result_.output.size() > command_.max_output_bytes) {
        return end_with(ChildEnd::kTooMuchOutput);
      }
    }
    return true;
  }

 private:
  bool end_with(ChildEnd end) {
    result_.end = end;
    return false;
  }

  void write_input() {
    const std::string_view rest = std::string_view(command_.input).substr(num_written_);
    const SigpipeBlock sigpipe_block;
    const ssize_t count = ::write(in_.write_end(), rest.data(), rest.size());
    if (count > 0) num_written_ += static_cast<std::size_t>(count);
    const bool broken = count < 0 && errno != EAGAIN && errno != EINTR;
    if (broken || num_written_ == command_.input.size()) in_.close_write();
  }

  static void read_some(Pipe& from, std::string& to) {
    std::array<char, 1 << 14> block{};
    const ssize_t count = ::read(from.read_end(), block.data(), block.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) return from.close_read();
    to.append(block.data(), static_cast<std::size_t>(count));
  }

  // Keeps the end of the output, which explains a failure.
  void read_errors() {
    std::string& errors = result_.errors;
    const std::size_t before = errors.size();
    read_some(err_, errors);
    if (command_.on_stderr && errors.size() > before) {
      command_.on_stderr(std::string_view(errors).substr(before));
    }
    if (errors.size() > 2 * kMaxErrorBytes) errors.erase(0, errors.size() - kMaxErrorBytes);
  }

  const ChildCommand& command_;
  Pipe& in_;
  Pipe& out_;
  Pipe& err_;
  ChildResult& result_;
  std::size_t num_written_ = 0;
};

// Waits for the end of the child. Kills it at the deadline if it only closed its outputs.
int reap(pid_t child,
         const ChildCommand& command,
         Clock::time_point deadline,
         ChildResult& result) {
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(child, &status, result.end == ChildEnd::kExited ? WNOHANG : 0);
    if (ended == child) return status;
    if (ended < 0 && errno == EINTR) continue;
    require(ended == 0, "cannot wait for the child process: {}", std::strerror(errno));
    if (Clock::now() > deadline || must_stop(command)) {
      result.end = must_stop(command) ? ChildEnd::kInterrupted : ChildEnd::kTimedOut;
      kill_child(child, command);
    } else {
      ::usleep(200);
    }
  }
}

}  // namespace

std::string ChildResult::message() const {
  switch (end) {
    case ChildEnd::kExited:
      return fmt::format("exit code {}", code);
    case ChildEnd::kSignalled:
      return fmt::format("killed by signal {} ({})", code, ::strsignal(code));
    case ChildEnd::kTimedOut:
      return "timed out";
    case ChildEnd::kTooMuchOutput:
      return "printed too much output";
    case ChildEnd::kNotFound:
      return "not installed";
    case ChildEnd::kInterrupted:
      return "interrupted";
  }
  return "unknown state";
}

ChildResult run_child(const ChildCommand& command) {
  invariant(!command.argv.empty(), "a child command has a program");
  ChildResult result;
  const std::optional<std::string> program = find_program(command.argv.front());
  if (!program) {
    result.end = ChildEnd::kNotFound;
    return result;
  }
  Pipe in;
  Pipe out;
  Pipe err;
  const Clock::time_point deadline = Clock::now() + command.timeout;
  const pid_t child = start_child(*program,
                                  command.argv,
                                  {.in = in.read_end(),
                                   .out = out.write_end(),
                                   .err = err.write_end(),
                                   .new_process_group = command.is_job,
                                   .dies_with_thread = true});
  in.close_read();
  out.close_write();
  err.close_write();

  if (!ChildIo(command, in, out, err, result).run(deadline)) kill_child(child, command);
  const int status = reap(child, command, deadline, result);
  if (result.end == ChildEnd::kExited && WIFSIGNALED(status)) {
    result.end = ChildEnd::kSignalled;
    result.code = WTERMSIG(status);
  } else if (WIFEXITED(status)) {
    result.code = WEXITSTATUS(status);
  }
  return result;
}

bool program_exists(std::string_view program) {
  return find_program(program).has_value();
}

}  // namespace myxtts::base
