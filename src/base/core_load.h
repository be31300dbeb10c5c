#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace xtts::base {

// Seconds that cores were busy, whoever had them, out of the text of /proc/stat: the sum over the
// given cores, with what a hypervisor took for other guests. Absent: the text does not name them.
std::optional<double> busy_seconds(std::string_view proc_stat,
                                   std::span<const int> cores,
                                   double ticks_per_s);

// What others make of the cores that this process may use, since it was made.
class CoreLoad {
 public:
  CoreLoad();

  // Cores that other processes kept busy, in the mean; our own children are ours. Absent where the
  // system does not say, and in the first tenth of a second.
  std::optional<double> by_others() const;

 private:
  std::optional<double> busy_s_;
  double own_s_ = 0.0;
  double start_s_ = 0.0;
};

}  // namespace xtts::base
