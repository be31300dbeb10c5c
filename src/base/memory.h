#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace xtts::base {

// Bytes that this process could still get without pushing others out: what the kernel calls
// available, or what its control group leaves if that is less.
std::int64_t free_memory_bytes();

// Bytes of the whole machine.
std::int64_t total_memory_bytes();

// Bytes of this process that are in memory now.
std::int64_t resident_bytes();

// The most that it ever had.
std::int64_t peak_resident_bytes();

// "800MB", "6 GB", "1.5GiB" or a number of bytes; absent: none of these.
std::optional<std::int64_t> parse_bytes(std::string_view text);

}  // namespace xtts::base
