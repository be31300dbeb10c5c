// Memory of the machine and of this process, and parsing of byte sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace myxtts::base {

// Returns the bytes that this process can still allocate without swapping: the kernel's
// MemAvailable or the remainder of the cgroup limit, whichever is less.
std::int64_t free_memory_bytes();

// Returns the physical memory of the machine in bytes.
std::int64_t total_memory_bytes();

// Returns the resident set size (RSS) of this process in bytes.
std::int64_t resident_bytes();

// Returns the peak resident set size of this process in bytes.
std::int64_t peak_resident_bytes();

// Parses "800MB", "6 GB", "1.5GiB" or a number of bytes. Returns nullopt for anything else.
std::optional<std::int64_t> parse_bytes(std::string_view text);

}  // namespace myxtts::base
