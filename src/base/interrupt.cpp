#include "base/interrupt.h"

#include <atomic>

#include <signal.h>
#include <unistd.h>

namespace xtts::base {
namespace {

std::atomic<int> arrived{0};
static_assert(std::atomic<int>::is_always_lock_free, "the signal handler may only touch such");

void note_signal(int signal) {
  int none = 0;
  if (!arrived.compare_exchange_strong(none, signal)) ::_exit(128 + signal);  // the second one
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
  return arrived.load();
}

void check_interrupt() {
  if (const int signal = pending_interrupt(); signal != 0) throw Interrupted(signal);
}

}  // namespace xtts::base
