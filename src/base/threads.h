// Core affinity, priority and CPU time of threads.
//
// A training step waits for its slowest thread. A thread that migrates between cores, or shares its
// core with a loader, slows all of them down.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace myxtts::base {

// Returns the cores that this process was allowed to use at its start, ascending; at least one.
// Later pinning of a thread does not change the result.
const std::vector<int>& usable_cores();

// Returns the number of usable cores.
int num_usable_cores();

// Returns the number of cores of the machine.
int num_cores();

// Pins the calling thread to these cores. Threads that it starts inherit this. Returns false if the
// system does not allow it, which only affects speed.
bool pin_to_cores(std::span<const int> cores);

// Gives the calling thread idle priority (SCHED_IDLE): it runs only on cores that no thread of
// normal priority needs. Undoing this needs privileges. Returns false if the system does not allow
// it.
bool set_idle_priority();

// Returns the CPU time of the calling thread in seconds.
double thread_cpu_s();

// Returns the voluntary context switches of the calling thread: waits for a disk, a child or
// another thread. Preemptions are not counted.
std::int64_t num_voluntary_switches();

// Returns the kernel's id of the calling thread.
int thread_id();

// True if a thread of this process is running or ready to run. False for a thread that waits for a
// disk, memory or another thread, and for one that has ended.
bool is_runnable(int thread_id);

// Distribution of the cores between model and loader threads.
struct CoreShares {
  std::vector<int> model;
  std::vector<int> loader;               // same as `model` if the loader has idle priority
  bool loader_is_idle_priority = false;  // the loader runs only while the model is idle

  bool operator==(const CoreShares&) const = default;
};

// Distributes the cores. With four or more, every fourth goes to the loader. With fewer, the model
// uses all of them and the loader shares them at idle priority.
CoreShares share_cores(std::span<const int> cores);

}  // namespace myxtts::base
