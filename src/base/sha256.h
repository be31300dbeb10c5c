// SHA-256 hashes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace myxtts::base {

// A SHA-256 digest.
using Sha256 = std::array<std::uint8_t, 32>;

Sha256 sha256(std::string_view bytes);

// Returns the digest as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace myxtts::base
