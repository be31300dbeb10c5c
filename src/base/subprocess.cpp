// The child is made with fork and exec and talks through three pipes that one poll loop serves, so
// that neither side can block the other. Between fork and exec only async-signal-safe calls are
// made: other threads of ours may hold any lock at that moment.

#include "base/subprocess.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/interrupt.h"

namespace xtts::base {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxErrorBytes = std::size_t{64} << 10U;

class Pipe {
 public:
  Pipe() {
    require(::pipe2(ends_.data(), O_CLOEXEC) == 0,
            "cannot make a pipe: {}; are too many files open? (ulimit -n)",
            std::strerror(errno));
  }
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_read() { close_end(0); }
  void close_write() { close_end(1); }

 private:
  void close_end(std::size_t i) {
    if (ends_.at(i) >= 0) ::close(ends_.at(i));
    ends_.at(i) = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

// Writing to a child that has gone must be an error of that write, not our end. The signal is held
// back in this thread alone and taken away, because what other threads do with it is not ours.
class PipeSignalHeld {
 public:
  PipeSignalHeld() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~PipeSignalHeld() {
    const timespec at_once{};
    ::sigtimedwait(&pipe_, nullptr, &at_once);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  PipeSignalHeld(const PipeSignalHeld&) = delete;
  PipeSignalHeld& operator=(const PipeSignalHeld&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

std::optional<std::string> find_program(std::string_view program) {
  if (program.find('/') != std::string_view::npos) {
    if (::access(std::string(program).c_str(), X_OK) == 0) return std::string(program);
    return std::nullopt;
  }
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    std::string candidate = fmt::format("{}/{}", rest.substr(0, end), program);
    if (::access(candidate.c_str(), X_OK) == 0 && !std::filesystem::is_directory(candidate)) {
      return candidate;
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return std::nullopt;
}

// Runs in the child, between fork and exec.
[[noreturn]] void become(const char* program,
                         char* const* argv,
                         bool is_job,
                         const Pipe& in,
                         const Pipe& out,
                         const Pipe& err) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (is_job) ::setpgid(0, 0);
  ::dup2(in.read_end(), STDIN_FILENO);
  ::dup2(out.write_end(), STDOUT_FILENO);
  ::dup2(err.write_end(), STDERR_FILENO);
  ::signal(SIGPIPE, SIG_DFL);
  ::execv(program, argv);
  ::_exit(127);
}

void kill_child(pid_t child, const ChildCommand& command) {
  ::kill(command.is_job ? -child : child, SIGKILL);
}

bool must_stop(const ChildCommand& command) {
  return command.is_job && pending_interrupt() != 0;
}

// Feeds the input, gathers both outputs; true once both are closed, false on deadline, flood or
// signal.
class Conversation {
 public:
  Conversation(const ChildCommand& command, Pipe& in, Pipe& out, Pipe& err, ChildResult& result)
      : command_(command), in_(in), out_(out), err_(err), result_(result) {
    ::fcntl(in_.write_end(), F_SETFL, O_NONBLOCK);
    if (command_.input.empty()) in_.close_write();
  }

  bool run(Clock::time_point deadline) {
    const long longest_ms = command_.is_job ? 100 : 60000;  // a signal may wake another thread
    while (out_.read_end() >= 0 || err_.read_end() >= 0) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return end_with(ChildEnd::kTimedOut);
      if (must_stop(command_)) return end_with(ChildEnd::kInterrupted);
      std::array<pollfd, 3> waits{pollfd{in_.write_end(), POLLOUT, 0},
                                  pollfd{out_.read_end(), POLLIN, 0},
                                  pollfd{err_.read_end(), POLLIN, 0}};
      if (::poll(waits.data(), waits.size(), static_cast<int>(std::min<long>(left, longest_ms))) <
          0) {
        continue;  // EINTR
      }
      if (waits[0].revents != 0) feed();
      if (waits[1].revents != 0) gather(out_, result_.output);
      if (waits[2].revents != 0) gather_errors();
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

  void feed() {
    const std::string_view rest = std::string_view(command_.input).substr(fed_);
    const PipeSignalHeld held;
    const ssize_t count = ::write(in_.write_end(), rest.data(), rest.size());
    if (count > 0) fed_ += static_cast<std::size_t>(count);
    const bool broken = count < 0 && errno != EAGAIN && errno != EINTR;
    if (broken || fed_ == command_.input.size()) in_.close_write();
  }

  static void gather(Pipe& from, std::string& to) {
    std::array<char, 1 << 14> block{};
    const ssize_t count = ::read(from.read_end(), block.data(), block.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) return from.close_read();
    to.append(block.data(), static_cast<std::size_t>(count));
  }

  // The last words are the ones that explain an end.
  void gather_errors() {
    std::string& errors = result_.errors;
    const std::size_t before = errors.size();
    gather(err_, errors);
    if (command_.on_errors && errors.size() > before) {
      command_.on_errors(std::string_view(errors).substr(before));
    }
    if (errors.size() > 2 * kMaxErrorBytes) errors.erase(0, errors.size() - kMaxErrorBytes);
  }

  const ChildCommand& command_;
  Pipe& in_;
  Pipe& out_;
  Pipe& err_;
  ChildResult& result_;
  std::size_t fed_ = 0;
};

// Waits for the child's end; one that closed its outputs but lives on is killed at the deadline.
int reap(pid_t child,
         const ChildCommand& command,
         Clock::time_point deadline,
         ChildResult& result) {
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(child, &status, result.end == ChildEnd::kExited ? WNOHANG : 0);
    if (ended == child) return status;
    if (ended < 0 && errno == EINTR) continue;
    require(ended == 0, "cannot learn how a child ended: {}", std::strerror(errno));
    if (Clock::now() > deadline || must_stop(command)) {
      result.end = must_stop(command) ? ChildEnd::kInterrupted : ChildEnd::kTimedOut;
      kill_child(child, command);
    } else {
      ::usleep(200);
    }
  }
}

}  // namespace

std::string ChildResult::describe() const {
  switch (end) {
    case ChildEnd::kExited:
      return fmt::format("exit code {}", code);
    case ChildEnd::kSignalled:
      return fmt::format("killed by signal {} ({})", code, ::strsignal(code));
    case ChildEnd::kTimedOut:
      return "no answer within its deadline";
    case ChildEnd::kTooMuchOutput:
      return "printed without end";
    case ChildEnd::kNotFound:
      return "not installed";
    case ChildEnd::kInterrupted:
      return "stopped with us";
  }
  return "unknown end";
}

ChildResult run_child(const ChildCommand& command) {
  invariant(!command.argv.empty(), "a child command has a program");
  ChildResult result;
  const std::optional<std::string> program = find_program(command.argv.front());
  if (!program) {
    result.end = ChildEnd::kNotFound;
    return result;
  }
  std::vector<char*> argv;
  for (const std::string& word : command.argv)
    argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);

  Pipe in;
  Pipe out;
  Pipe err;
  const Clock::time_point deadline = Clock::now() + command.deadline;
  const pid_t child = ::fork();
  require(child >= 0, "cannot start {}: {}", command.argv.front(), std::strerror(errno));
  if (child == 0) become(program->c_str(), argv.data(), command.is_job, in, out, err);
  if (command.is_job) ::setpgid(child, child);  // whoever is first
  in.close_read();
  out.close_write();
  err.close_write();

  if (!Conversation(command, in, out, err, result).run(deadline)) kill_child(child, command);
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

}  // namespace xtts::base
