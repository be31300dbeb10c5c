#include "base/utf8.h"

#include <cstdint>

#include "base/error.h"

namespace myxtts::base {
namespace {

constexpr char32_t kInvalid = 0xFFFFFFFF;

// Returns the code point at `i` and advances `i` past it. On kInvalid `i` stays unchanged.
char32_t next_code_point(std::string_view bytes, std::size_t& i) {
  const auto byte_at = [&](std::size_t k) { return static_cast<std::uint8_t>(bytes[k]); };
  const std::uint8_t first = byte_at(i);
  if (first < 0x80) return ++i, first;

  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || i + length > bytes.size()) return kInvalid;
  char32_t value = first & (0x7FU >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte_at(i + k) & 0xC0U) != 0x80U) return kInvalid;
    value = (value << 6U) | (byte_at(i + k) & 0x3FU);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (overlong || surrogate || value > 0x10FFFF) return kInvalid;
  i += length;
  return value;
}

}  // namespace

bool is_utf8(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    if (next_code_point(bytes, i) == kInvalid) return false;
  }
  return true;
}

std::u32string decode_utf8(std::string_view bytes) {
  std::u32string code_points;
  code_points.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size();) {
    const char32_t value = next_code_point(bytes, i);
    require(value != kInvalid, "byte {} of the text is not UTF-8; convert it with iconv", i);
    code_points.push_back(value);
  }
  return code_points;
}

std::string encode_utf8(std::u32string_view code_points) {
  std::string bytes;
  bytes.reserve(code_points.size());
  const auto put = [&](std::uint32_t byte) { bytes.push_back(static_cast<char>(byte)); };
  for (const char32_t value : code_points) {
    if (value < 0x80) {
      put(value);
    } else if (value < 0x800) {
      put(0xC0U | (value >> 6U));
      put(0x80U | (value & 0x3FU));
    } else if (value < 0x10000) {
      put(0xE0U | (value >> 12U));
      put(0x80U | ((value >> 6U) & 0x3FU));
      put(0x80U | (value & 0x3FU));
    } else {
      put(0xF0U | (value >> 18U));
      put(0x80U | ((value >> 12U) & 0x3FU));
      put(0x80U | ((value >> 6U) & 0x3FU));
      put(0x80U | (value & 0x3FU));
    }
  }
  return bytes;
}

std::size_t display_width(std::string_view utf8) {
  std::size_t columns = 0;
  for (const char byte : utf8) {
    if ((static_cast<std::uint8_t>(byte) & 0xC0U) != 0x80U) ++columns;
  }
  return columns;
}

}  // namespace myxtts::base
