// CRC32C (Castagnoli), the checksum of tensors in checkpoints and of records in event files.
#pragma once

#include <cstdint>
#include <string_view>

namespace myxtts::base {

// Returns the checksum of `bytes`. Chains over pieces: crc32c(b, crc32c(a)) == crc32c(a + b). Uses
// the SSE4.2 instruction where the processor has it.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed = 0);

// Table-driven reference implementation of crc32c().
std::uint32_t crc32c_table(std::string_view bytes, std::uint32_t seed = 0);

// Returns the masked checksum of TensorBoard event files: rotated and offset, because the CRC of
// data that contains its own CRC is weak.
std::uint32_t masked_crc32c(std::string_view bytes);

}  // namespace myxtts::base
