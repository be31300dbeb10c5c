#include "base/child_process.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/error.h"

namespace xtts::base {
namespace {

// While there are two of us in one memory, signals wait.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_{};
};

// Handlers of ours must not run in the child, where they would write into our memory; nor may a
// Ctrl-Z that came meanwhile stop it, since we wait for it to become the program. What is ignored
// stays so, but for SIGPIPE.
void drop_handlers() {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    const bool stops = number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
    if (stops) ::signal(number, SIG_IGN);  // forgets one that waits
    if (stops || action.sa_handler != SIG_DFL) ::signal(number, SIG_DFL);
  }
  ::signal(SIGPIPE, SIG_DFL);
}

// Runs in the child until it is the program.
[[noreturn]] void become(const char* program,
                         char* const* argv,
                         const ChildStart& start,
                         const sigset_t& signals) {
  if (start.is_group) ::setpgid(0, 0);
  if (start.dies_with_thread) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(start.in, STDIN_FILENO);
  ::dup2(start.out, STDOUT_FILENO);
  ::dup2(start.err, STDERR_FILENO);
  drop_handlers();
  ::pthread_sigmask(SIG_SETMASK, &signals, nullptr);
  ::execv(program, argv);
  ::_exit(127);
}

}  // namespace

Pipe::Pipe() {
  require(::pipe2(ends_.data(), O_CLOEXEC) == 0,
          "cannot make a pipe: {}; are too many files open? (ulimit -n)",
          std::strerror(errno));
}

Pipe::~Pipe() {
  close_read();
  close_write();
}

void Pipe::close_end(std::size_t i) {
  if (ends_.at(i) >= 0) ::close(ends_.at(i));
  ends_.at(i) = -1;
}

PipeSignalHeld::PipeSignalHeld() {
  ::sigemptyset(&pipe_);
  ::sigaddset(&pipe_, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
}

PipeSignalHeld::~PipeSignalHeld() {
  const timespec at_once{};
  ::sigtimedwait(&pipe_, nullptr, &at_once);
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

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

pid_t start_child(const std::string& program,
                  const std::vector<std::string>& argv,
                  const ChildStart& start) {
  std::vector<char*> words;
  for (const std::string& word : argv)
    words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const SignalsHeld held;
  // Not fork(): that copies the map of all our memory, gigabytes in a training, and afterwards
  // every page of it is copied, or at least asked for again, when we next write to it. POSIX allows
  // nothing but an exec after vfork(); Linux, whatever is async-signal-safe and never returns here.
  // posix_spawn() cannot have a child die with us.
  // NOLINTNEXTLINE(bugprone-unsafe-functions,clang-analyzer-security.insecureAPI.vfork)
  const pid_t child = ::vfork();
  // NOLINTNEXTLINE(clang-analyzer-unix.Vfork)
  if (child == 0) become(program.c_str(), words.data(), start, held.before());
  require(child >= 0, "cannot start {}: {}", argv.front(), std::strerror(errno));
  return child;
}

}  // namespace xtts::base
