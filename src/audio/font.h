#pragma once

#include <array>
#include <cstdint>

namespace myxtts::audio {

// A 5 x 7 pixel bitmap font for printable ASCII.
inline constexpr int kGlyphWidth = 5;  // pixels
inline constexpr int kGlyphHeight = 7;

// Rows of a glyph, top first; bit 4 is the leftmost pixel.
using Glyph = std::array<std::uint8_t, kGlyphHeight>;

// Returns the glyph of a character; characters outside printable ASCII give '?'.
const Glyph& glyph_of(char letter);

}  // namespace myxtts::audio
