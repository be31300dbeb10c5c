#include "audio/canvas.h"

#include <algorithm>

#include "audio/font.h"

namespace myxtts::audio {

Canvas::Canvas(int width, int height, Rgb background) : image_{width, height, {}} {
  image_.pixels.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                       background);
}

void Canvas::fill(int x, int y, int width, int height, Rgb colour) {
  const int left = std::max(0, x);
  const int right = std::min(image_.width, x + width);
  if (left >= right) return;
  for (int row = std::max(0, y); row < std::min(image_.height, y + height); ++row) {
    const auto start = image_.pixels.begin() + std::ptrdiff_t{row} * image_.width;
    std::fill(start + left, start + right, colour);
  }
}

void Canvas::outline(int x, int y, int width, int height, Rgb colour) {
  fill(x, y, width, 1, colour);
  fill(x, y + height - 1, width, 1, colour);
  fill(x, y, 1, height, colour);
  fill(x + width - 1, y, 1, height, colour);
}

void Canvas::text(int x, int y, std::string_view line, Rgb colour) {
  for (const char letter : line) {
    const Glyph& glyph = glyph_of(letter);
    for (int row = 0; row < kGlyphHeight; ++row) {
      for (int column = 0; column < kGlyphWidth; ++column) {
        const unsigned bit = 1U << static_cast<unsigned>(kGlyphWidth - 1 - column);
        if ((glyph[static_cast<std::size_t>(row)] & bit) == 0) continue;
        fill(x + column * kTextScale, y + row * kTextScale, kTextScale, kTextScale, colour);
      }
    }
    x += (kGlyphWidth + 1) * kTextScale;
  }
}

int text_width(std::string_view line) {
  return static_cast<int>(line.size()) * (kGlyphWidth + 1) * kTextScale;
}

int text_height() {
  return kGlyphHeight * kTextScale;
}

}  // namespace myxtts::audio
