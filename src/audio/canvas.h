#pragma once

#include <string_view>

#include "audio/png.h"

namespace xtts::audio {

// An image that can be drawn on. What falls outside is left out.
class Canvas {
 public:
  Canvas(int width, int height, Rgb background);

  void fill(int x, int y, int width, int height, Rgb colour);

  // A one-pixel outline just inside the rectangle.
  void outline(int x, int y, int width, int height, Rgb colour);

  // One line of letters whose top left corner is (x, y).
  void text(int x, int y, std::string_view line, Rgb colour);

  const Image& image() const { return image_; }

 private:
  Image image_;
};

inline constexpr int kTextScale = 2;  // one pixel of the font is drawn as 2 x 2

// Pixels that Canvas::text() needs.
int text_width(std::string_view line);
int text_height();

}  // namespace xtts::audio
