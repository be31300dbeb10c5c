#include "base/crc32c.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace myxtts::base {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78U;  // Castagnoli, bits reversed
constexpr std::uint32_t kMaskDelta = 0xA282EAD8U;

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit)
      value = (value >> 1U) ^ ((value & 1U) != 0 ? kPolynomial : 0U);
    table[i] = value;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> kTable = make_table();

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) std::uint32_t crc32c_sse(std::string_view bytes,
                                                           std::uint32_t seed) {
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t state = ~seed;
  for (; left >= sizeof(std::uint64_t); left -= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof(word));
    state = __builtin_ia32_crc32di(state, word);
    at += sizeof(word);
  }
  auto tail = static_cast<std::uint32_t>(state);
  for (; left > 0; --left)
    tail = __builtin_ia32_crc32qi(tail, static_cast<unsigned char>(*at++));
  return ~tail;
}

#endif

using Function = std::uint32_t (*)(std::string_view, std::uint32_t);

Function fastest_implementation() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse4.2")) return crc32c_sse;
#endif
  return crc32c_table;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed) {
  static const Function chosen = fastest_implementation();
  return chosen(bytes, seed);
}

std::uint32_t crc32c_table(std::string_view bytes, std::uint32_t seed) {
  std::uint32_t state = ~seed;
  for (const char byte : bytes)
    state = (state >> 8U) ^ kTable.at((state ^ static_cast<unsigned char>(byte)) & 0xFFU);
  return ~state;
}

std::uint32_t masked_crc32c(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return ((crc >> 15U) | (crc << 17U)) + kMaskDelta;
}

}  // namespace myxtts::base
