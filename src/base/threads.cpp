#include "base/threads.h"

#include <ctime>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

namespace myxtts::base {
namespace {

constexpr std::size_t kMinCoresForLoader = 4;  // with fewer, the loader shares the model's cores

std::vector<int> allowed_cores() {
  cpu_set_t set;
  std::vector<int> cores;
  if (::sched_getaffinity(0, sizeof(set), &set) == 0) {
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (CPU_ISSET(core, &set)) cores.push_back(core);
    }
  }
  if (cores.empty()) cores.push_back(0);
  return cores;
}

}  // namespace

const std::vector<int>& usable_cores() {
  static const std::vector<int> cores = allowed_cores();
  return cores;
}

int num_cores() {
  return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}

int num_usable_cores() {
  return static_cast<int>(usable_cores().size());
}

bool pin_to_cores(std::span<const int> cores) {
  usable_cores();  // caches the initial affinity before it changes
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores)
    CPU_SET(core, &set);
  return ::sched_setaffinity(0, sizeof(set), &set) == 0;
}

bool set_idle_priority() {
  const sched_param none{};
  return ::sched_setscheduler(0, SCHED_IDLE, &none) == 0;
}

double thread_cpu_s() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::int64_t num_voluntary_switches() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

int thread_id() {
  return ::gettid();
}

// The line is "17 (name with any bytes) R ...". The state follows the last parenthesis.
bool is_runnable(int thread_id) {
  std::ifstream file(fmt::format("/proc/self/task/{}/stat", thread_id));
  std::string line;
  std::getline(file, line);
  const std::size_t end_of_name = line.rfind(')');
  return end_of_name != std::string::npos && line.compare(end_of_name, 3, ") R") == 0;
}

CoreShares share_cores(std::span<const int> cores) {
  CoreShares shares;
  shares.loader_is_idle_priority = cores.size() < kMinCoresForLoader;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const bool is_for_loader =
        !shares.loader_is_idle_priority && i % kMinCoresForLoader == kMinCoresForLoader - 1;
    (is_for_loader ? shares.loader : shares.model).push_back(cores[i]);
  }
  if (shares.loader_is_idle_priority) shares.loader = shares.model;
  return shares;
}

}  // namespace myxtts::base
