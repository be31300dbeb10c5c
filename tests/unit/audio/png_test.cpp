#include "audio/png.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <png.h>

#include "base/error.h"

namespace myxtts::audio {
namespace {

Image checkered() {
  Image image{3, 2, {}};
  for (std::uint8_t i = 0; i < 6; ++i) {
    image.pixels.push_back(
        {i, static_cast<std::uint8_t>(40 * i), static_cast<std::uint8_t>(255 - i)});
  }
  return image;
}

TEST(Png, ReadsBackAsTheSamePixels) {
  const std::string bytes = png_bytes(checkered());

  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()), 0);
  header.format = PNG_FORMAT_RGB;
  std::vector<Rgb> pixels(6);
  ASSERT_NE(png_image_finish_read(&header, nullptr, pixels.data(), 0, nullptr), 0);
  EXPECT_EQ(header.width, 3U);
  EXPECT_EQ(header.height, 2U);
  EXPECT_EQ(pixels, checkered().pixels);
}

TEST(Png, EqualImagesGiveEqualBytes) {
  EXPECT_EQ(png_bytes(checkered()), png_bytes(checkered()));
}

TEST(Png, AnInconsistentImageIsABug) {
  EXPECT_THROW(png_bytes({2, 2, {}}), BugError);
  EXPECT_THROW(png_bytes({}), BugError);
}

}  // namespace
}  // namespace myxtts::audio
