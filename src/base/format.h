// Formats numbers for messages.
#pragma once

#include <string>

namespace myxtts::base {

std::string format_percent(double share);    // "71 %", "0.4 %"
std::string format_seconds(double seconds);  // "12.5 s", "0.52 s", "12 ms", "8 us"
std::string format_bytes(double bytes);      // "12.3 GB", "640 MB"
std::string format_size_flag(double bytes);  // for --cache-limit, rounded up: "13GB", "640MB"
std::string format_count(long long count, const std::string& noun);  // "1 worker", "3 workers"

}  // namespace myxtts::base
