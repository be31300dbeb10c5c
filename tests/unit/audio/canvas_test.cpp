#include "audio/canvas.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "audio/font.h"

namespace myxtts::audio {
namespace {

constexpr Rgb kWhite{255, 255, 255};
constexpr Rgb kRed{255, 0, 0};

auto num_red(const Canvas& canvas) {
  return std::ranges::count(canvas.image().pixels, kRed);
}

TEST(Canvas, FillIsClippedToTheImage) {
  Canvas canvas(10, 10, kWhite);

  canvas.fill(8, -5, 100, 8, kRed);

  EXPECT_EQ(num_red(canvas), 2 * 3);
  EXPECT_EQ(canvas.image().pixels[8], kRed);
}

TEST(Canvas, OutlineIsOnePixelWide) {
  Canvas canvas(10, 10, kWhite);

  canvas.outline(2, 2, 5, 4, kRed);

  EXPECT_EQ(num_red(canvas), 2 * 5 + 2 * 2);
}

TEST(Canvas, TextStaysInItsBox) {
  Canvas canvas(text_width("I") + 20, text_height() + 20, kWhite);

  canvas.text(10, 10, "I", kRed);

  EXPECT_EQ(num_red(canvas), (3 + 5 + 3) * kTextScale * kTextScale);
  canvas.fill(10, 10, text_width("I"), text_height(), kWhite);
  EXPECT_EQ(num_red(canvas), 0) << "a pixel outside the letter's box";
}

TEST(Font, EveryCharacterHasADistinctGlyph) {
  for (char a = '!'; a < '~'; ++a) {
    for (char b = static_cast<char>(a + 1); b <= '~'; ++b) {
      EXPECT_NE(glyph_of(a), glyph_of(b)) << a << ' ' << b;
    }
  }
  EXPECT_EQ(glyph_of('\x80'), glyph_of('?'));
}

}  // namespace
}  // namespace myxtts::audio
