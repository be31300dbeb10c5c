// Numbers as the sentences of findings have them.
#pragma once

#include <string>

namespace xtts::rules {

std::string percent(double share);         // "71 %", "0.4 %"
std::string seconds_text(double seconds);  // "12.5 s", "0.52 s", "12 ms", "8 us"
std::string bytes_text(double bytes);      // "12.3 GB", "640 MB"
std::string bytes_flag(double bytes);      // for --cache-limit, rounded up: "13GB", "640MB"
std::string counted(long long count, const std::string& noun);  // "1 worker", "3 workers"

}  // namespace xtts::rules
