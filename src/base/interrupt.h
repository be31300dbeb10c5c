// Graceful shutdown on SIGINT and SIGTERM.
#pragma once

#include <exception>

namespace myxtts::base {

// check_interrupt() throws it after SIGINT or SIGTERM. The CLI exits with 128 + signal.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(int signal) : signal_(signal) {}
  const char* what() const noexcept override { return "interrupted"; }
  int signal() const { return signal_; }

 private:
  int signal_;
};

// Installs the signal handlers. The first SIGINT or SIGTERM only sets a flag, so that work can stop
// at a clean point. A second one ends the process at once. Call once, from main.
void catch_interrupts();

// Returns the signal that has arrived, or 0.
int pending_interrupt();

// Throws Interrupted if a signal has arrived. Call it at the top of long loops.
void check_interrupt();

}  // namespace myxtts::base
