#include "base/core_load.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

#include "base/threads.h"

namespace myxtts::base {
namespace {

constexpr double kMinIntervalS = 0.1;

double wall_now_s() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// CPU seconds of this process and of its children that have ended.
double own_cpu_s() {
  double sum = 0.0;
  for (const int target : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(target, &usage);
    sum += seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  }
  return sum;
}

std::optional<double> busy_now_s() {
  std::ifstream file("/proc/stat");
  std::stringstream text;
  text << file.rdbuf();
  return busy_seconds(text.str(), usable_cores(), static_cast<double>(sysconf(_SC_CLK_TCK)));
}

}  // namespace

std::optional<double> busy_seconds(std::string_view proc_stat,
                                   std::span<const int> cores,
                                   double ticks_per_s) {
  std::istringstream lines{std::string(proc_stat)};
  std::string line;
  double ticks = 0.0;
  std::size_t num_found = 0;
  while (std::getline(lines, line)) {
    std::istringstream columns(line);
    std::string name;
    // user nice system idle iowait irq softirq steal
    std::array<double, 8> parts{};
    columns >> name;
    for (double& part : parts)
      columns >> part;
    const bool is_selected = std::ranges::any_of(
        cores, [&name](int core) { return name == "cpu" + std::to_string(core); });
    if (!is_selected || !columns) continue;
    ++num_found;
    ticks += parts[0] + parts[1] + parts[2] + parts[5] + parts[6] + parts[7];
  }
  if (num_found != cores.size() || cores.empty()) return std::nullopt;
  return ticks / ticks_per_s;
}

CoreLoad::CoreLoad() : busy_s_(busy_now_s()), own_s_(own_cpu_s()), start_s_(wall_now_s()) {}

std::optional<double> CoreLoad::by_others() const {
  const double wall_s = wall_now_s() - start_s_;
  const std::optional<double> busy_s = busy_now_s();
  if (!busy_s_ || !busy_s || wall_s < kMinIntervalS) return std::nullopt;
  const double others_s = (*busy_s - *busy_s_) - (own_cpu_s() - own_s_);
  return std::max(0.0, others_s / wall_s);
}

}  // namespace myxtts::base
