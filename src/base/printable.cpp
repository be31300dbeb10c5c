#include "base/printable.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "base/utf8.h"

namespace myxtts::base {
namespace {

// Returns the length of the UTF-8 character at the start of `bytes`, or 0 if there is none.
std::size_t character_length(std::string_view bytes) {
  for (std::size_t length = 1; length <= 4 && length <= bytes.size(); ++length) {
    if (is_utf8(bytes.substr(0, length))) return length;
  }
  return 0;
}

// True for terminal control characters: C0, DEL and, in two bytes, C1.
bool is_control(std::string_view character) {
  const auto byte_at = [&](std::size_t i) { return static_cast<std::uint8_t>(character[i]); };
  if (character.size() == 1) return byte_at(0) < 0x20 || byte_at(0) == 0x7F;
  return character.size() == 2 && byte_at(0) == 0xC2 && byte_at(1) < 0xA0;
}

bool is_plain_in_shell(char letter) {
  const bool alphanumeric = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                            (letter >= '0' && letter <= '9');
  return alphanumeric || std::string_view("_-./,:=+@%").find(letter) != std::string_view::npos;
}

std::string replace_each(std::string_view text, char letter, std::string_view by) {
  std::string replaced;
  for (const char one : text)
    one == letter ? replaced += by : replaced += one;
  return replaced;
}

}  // namespace

std::string printable(std::string_view bytes, std::size_t max_bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size();) {
    if (i >= max_bytes) return text + "...";
    const std::size_t length = character_length(bytes.substr(i, 4));
    const std::string_view character = bytes.substr(i, std::max<std::size_t>(length, 1));
    if (length == 0 || is_control(character)) {
      for (const char byte : character)
        text += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(byte));
    } else {
      text += character;
    }
    i += character.size();
  }
  return text;
}

std::string shell_word(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain_in_shell)) return std::string(word);
  const std::size_t everything = word.size() + 1;
  if (printable(word, everything) == word) {
    return "'" + replace_each(word, '\'', "'\\''") + "'";
  }
  const std::string escaped = replace_each(replace_each(word, '\\', "\\\\"), '\'', "\\'");
  return "$'" + printable(escaped, escaped.size() + 1) + "'";
}

}  // namespace myxtts::base
