#pragma once

#include <cstdio>
#include <exception>
#include <functional>
#include <utility>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace myxtts::data {

// Runs `work` in a forked process. The test must not have other threads at that time.
class WorkerProcess {
 public:
  explicit WorkerProcess(const std::function<void()>& work) : pid_(::fork()) {
    if (pid_ != 0) return;
    try {
      work();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      ::_exit(1);
    }
    ::_exit(0);
  }
  ~WorkerProcess() { kill(); }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // Waits for the end. Returns the exit code, or -1 if the process was killed.
  int wait() {
    int status = 0;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    wait();
  }

 private:
  pid_t pid_;
};

}  // namespace myxtts::data
