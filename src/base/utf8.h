// Validation, decoding and encoding of UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace myxtts::base {

// True for well-formed UTF-8 (no overlong forms, no surrogates, nothing above U+10FFFF).
bool is_utf8(std::string_view bytes);

// Returns the code points. Throws UserError if the bytes are not well-formed UTF-8.
std::u32string decode_utf8(std::string_view bytes);
std::string encode_utf8(std::u32string_view code_points);

// Returns the number of code points, which approximates the width in terminal columns.
std::size_t display_width(std::string_view utf8);

}  // namespace myxtts::base
