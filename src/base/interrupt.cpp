#include "base/interrupt.h"

#include <atomic>

#include <signal.h>
#include <unistd.h>

namespace myxtts::base {
namespace {

std::atomic<int> arrived_signal{0};
static_assert(std::atomic<int>::is_always_lock_free,
              "a signal handler may only access lock-free atomics");

void note_signal(int signal) {
  int none = 0;
  if (!arrived_signal.compare_exchange_strong(none, signal))
    ::_exit(128 + signal);  // second signal
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

int pending_interrupt() {
  return arrived_signal.load();
}

void check_interrupt() {
  if (const int signal = pending_interrupt(); signal != 0) throw Interrupted(signal);
}

}  // namespace myxtts::base
