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

namespace myxtts::base {
namespace {

// Blocks all signals while parent and child share one address space.
class AllSignalsBlock {
 public:
  AllSignalsBlock() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &previous_mask_);
  }
  ~AllSignalsBlock() { ::pthread_sigmask(SIG_SETMASK, &previous_mask_, nullptr); }
  AllSignalsBlock(const AllSignalsBlock&) = delete;
  AllSignalsBlock& operator=(const AllSignalsBlock&) = delete;

  const sigset_t& previous_mask() const { return previous_mask_; }

 private:
  sigset_t previous_mask_{};
};

// Resets signal handlers to their defaults: the parent's handlers would write into the shared
// memory. Discards a pending Ctrl-Z, which would stop the child while the parent waits for its
// exec. Ignored signals stay ignored, except SIGPIPE.
void reset_signal_handlers() {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    const bool stops = number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
    if (stops) ::signal(number, SIG_IGN);  // discards a pending one
    if (stops || action.sa_handler != SIG_DFL) ::signal(number, SIG_DFL);
  }
  ::signal(SIGPIPE, SIG_DFL);
}

// Runs in the child: applies the options and calls exec.
[[noreturn]] void exec_program(const char* program,
                               char* const* argv,
                               const ChildOptions& options,
                               const sigset_t& signal_mask) {
  if (options.new_process_group) ::setpgid(0, 0);
  if (options.dies_with_thread) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(options.in, STDIN_FILENO);
  ::dup2(options.out, STDOUT_FILENO);
  ::dup2(options.err, STDERR_FILENO);
  reset_signal_handlers();
  ::pthread_sigmask(SIG_SETMASK, &signal_mask, nullptr);
  ::execv(program, argv);
  ::_exit(127);
}

}  // namespace

Pipe::Pipe() {
  require(::pipe2(ends_.data(), O_CLOEXEC) == 0,
          "cannot create a pipe: {}; raise the limit of open files (ulimit -n)",
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

SigpipeBlock::SigpipeBlock() {
  ::sigemptyset(&sigpipe_);
  ::sigaddset(&sigpipe_, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &sigpipe_, &previous_mask_);
}

SigpipeBlock::~SigpipeBlock() {
  const timespec no_wait{};
  ::sigtimedwait(&sigpipe_, nullptr, &no_wait);
  ::pthread_sigmask(SIG_SETMASK, &previous_mask_, nullptr);
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
                  const ChildOptions& options) {
  std::vector<char*> arguments;
  for (const std::string& argument : argv)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const AllSignalsBlock signals;
  // vfork() instead of fork(): fork() copies the page tables of gigabytes of memory during
  // training, and every page faults again at its next write. POSIX allows only exec after vfork();
  // Linux allows all async-signal-safe calls that do not return from this function. posix_spawn()
  // cannot set the parent-death signal.
  // NOLINTNEXTLINE(bugprone-unsafe-functions,clang-analyzer-security.insecureAPI.vfork)
  const pid_t child = ::vfork();
  // NOLINTNEXTLINE(clang-analyzer-unix.Vfork)
  if (child == 0) exec_program(program.c_str(), arguments.data(), options, signals.previous_mask());
  require(child >= 0, "cannot start {}: {}", argv.front(), std::strerror(errno));
  return child;
}

}  // namespace myxtts::base
