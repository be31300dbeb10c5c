#pragma once

#include <exception>

namespace xtts::base {

// Thrown by check_interrupt() after SIGINT or SIGTERM; the CLI exits with 128 + signal.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(int signal) : signal_(signal) {}
  const char* what() const noexcept override { return "interrupted"; }
  int signal() const { return signal_; }

 private:
  int signal_;
};

// After this the first SIGINT or SIGTERM only sets a flag, so that work can stop at a clean point;
// a second one ends the process at once. Call once, from main.
void catch_interrupts();

// The signal that arrived, or 0.
int pending_interrupt();

// Throws Interrupted if a signal has arrived. For the top of long loops.
void check_interrupt();

}  // namespace xtts::base
