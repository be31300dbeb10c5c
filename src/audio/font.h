#pragma once

#include <array>
#include <cstdint>

namespace xtts::audio {

inline constexpr int kGlyphWidth = 5;  // pixels
inline constexpr int kGlyphHeight = 7;

// Rows of a glyph, top first; bit 4 is the leftmost pixel.
using Glyph = std::array<std::uint8_t, kGlyphHeight>;

// The letter's shape; everything outside printable ASCII is drawn as '?'.
const Glyph& glyph_of(char letter);

}  // namespace xtts::audio
