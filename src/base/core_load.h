// CPU load of the usable cores by other processes.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace myxtts::base {

// Returns the seconds for which the given cores were busy, summed, from the text of /proc/stat.
// Steal time of the hypervisor is included. Returns nullopt if the text lacks one of the cores.
std::optional<double> busy_seconds(std::string_view proc_stat,
                                   std::span<const int> cores,
                                   double ticks_per_s);

// Measures the load that other processes put on the usable cores since construction.
class CoreLoad {
 public:
  CoreLoad();

  // Returns the mean number of cores that other processes kept busy. Children of this process that
  // have ended do not count. Returns nullopt in the first 0.1 s and if /proc/stat is not available.
  std::optional<double> by_others() const;

 private:
  std::optional<double> busy_s_;
  double own_s_ = 0.0;
  double start_s_ = 0.0;
};

}  // namespace myxtts::base
