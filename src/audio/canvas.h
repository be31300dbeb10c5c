#pragma once

#include <string_view>

#include "audio/png.h"

namespace myxtts::audio {

// Draws rectangles and text into an image; clips at its borders.
class Canvas {
 public:
  Canvas(int width, int height, Rgb background);

  void fill(int x, int y, int width, int height, Rgb colour);

  // Draws a one-pixel outline just inside the rectangle.
  void outline(int x, int y, int width, int height, Rgb colour);

  // Draws one line of text with its top left corner at (x, y).
  void text(int x, int y, std::string_view line, Rgb colour);

  const Image& image() const { return image_; }

 private:
  Image image_;
};

inline constexpr int kTextScale = 2;  // one pixel of the font is drawn as 2 x 2

// Size in pixels of a line drawn by Canvas::text().
int text_width(std::string_view line);
int text_height();

}  // namespace myxtts::audio
