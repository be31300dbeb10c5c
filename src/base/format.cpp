#include "base/format.h"

#include <cmath>

#include <fmt/format.h>

namespace myxtts::base {
namespace {

constexpr double kMegabyte = 1e6;
constexpr double kGigabyte = 1e9;

}  // namespace

std::string format_percent(double share) {
  const double value = share * 100.0;
  return value < 9.95 && value >= 0.05 ? fmt::format("{:.1f} %", value)
                                       : fmt::format("{:.0f} %", value);
}

std::string format_seconds(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 0.1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return seconds < 10.0 ? fmt::format("{:.2f} s", seconds) : fmt::format("{:.1f} s", seconds);
}

std::string format_bytes(double bytes) {
  return bytes < kGigabyte ? fmt::format("{:.0f} MB", bytes / kMegabyte)
                           : fmt::format("{:.1f} GB", bytes / kGigabyte);
}

std::string format_size_flag(double bytes) {
  return bytes < kGigabyte ? fmt::format("{:.0f}MB", std::ceil(bytes / kMegabyte))
                           : fmt::format("{:.0f}GB", std::ceil(bytes / kGigabyte));
}

std::string format_count(long long count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace myxtts::base
