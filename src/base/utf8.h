#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace xtts::base {

// True for well-formed UTF-8 (no overlong forms, no surrogates, nothing above U+10FFFF).
bool is_utf8(std::string_view bytes);

// The code points of well-formed UTF-8; throws UserError on anything else.
std::u32string decode_utf8(std::string_view bytes);
std::string encode_utf8(std::u32string_view code_points);

// Columns a terminal needs, counting code points; good enough for the letters we print.
std::size_t display_width(std::string_view utf8);

}  // namespace xtts::base
