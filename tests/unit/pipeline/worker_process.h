#pragma once

#include <cstdio>
#include <exception>
#include <functional>
#include <utility>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace xtts::pipeline {

// A process of its own that does `work` and ends. Nothing of the test may have threads then.
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

  // The code it ended with; -1 if it was killed.
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

}  // namespace xtts::pipeline
