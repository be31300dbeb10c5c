// CRC32C (Castagnoli): the checksum of each tensor in a save and of each record in an event file.
#pragma once

#include <cstdint>
#include <string_view>

namespace xtts::base {

// The checksum of `bytes`; of several pieces when each is given the one before as `seed`:
// crc32c(b, crc32c(a)) == crc32c(a + b). Uses the processor's instruction where it has one
// (SSE4.2).
std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed = 0);

// The same by a table, on every machine: what crc32c() is measured against.
std::uint32_t crc32c_table(std::string_view bytes, std::uint32_t seed = 0);

// As TensorBoard stores it: rotated and shifted, so that the checksum of bytes which hold their own
// checksum is no special case.
std::uint32_t masked_crc32c(std::string_view bytes);

}  // namespace xtts::base
