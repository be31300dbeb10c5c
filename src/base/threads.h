// Which cores whose threads run on. A step waits for its slowest thread, so a thread that the
// system moves about, or that shares its core with a loader, is time lost by all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace xtts::base {

// Cores that this process was allowed when it started, ascending; at least one. Later pinning of a
// thread does not change the answer.
const std::vector<int>& usable_cores();

// Their number.
int num_usable_cores();

// Cores that the machine has, whoever may use them.
int num_cores();

// The calling thread runs on these cores alone from now on; threads that it starts inherit that.
// Returns false where the system does not allow it: nothing depends on it.
bool run_on(std::span<const int> cores);

// The calling thread runs from now on only where no thread of ordinary priority wants the core.
// There is no way back without rights that a program rarely has. Returns false where the system
// does not allow it.
bool run_when_idle();

// Seconds of processor that the calling thread has had.
double thread_cpu_s();

// How often it gave way by itself: to wait for a disk, a child or another thread. That others took
// its core from it is not counted.
std::int64_t num_thread_waits();

// The system's number of the calling thread.
int thread_id();

// Whether a thread of this process computes, or would if it had a core. One that waits for a disk,
// for memory or for somebody does not; nor does one that has ended.
bool wants_core(int thread_id);

// Who has which cores.
struct CoreShares {
  std::vector<int> model;
  std::vector<int> loader;               // the model's own where the loader is a guest
  bool loader_is_idle_priority = false;  // it works only when the model does not

  bool operator==(const CoreShares&) const = default;
};

// With four cores or more every fourth is the loader's; with fewer the model has all of them.
CoreShares share_cores(std::span<const int> cores);

}  // namespace xtts::base
