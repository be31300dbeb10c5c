// Encodes RGB images as PNG files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace myxtts::audio {

struct Rgb {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  bool operator==(const Rgb&) const = default;
};

struct Image {
  int width = 0;
  int height = 0;
  std::vector<Rgb> pixels;  // [height, width], top row first
};

// Encodes a non-empty image as a PNG file. Same image, same bytes.
std::string png_bytes(const Image& image);

}  // namespace myxtts::audio
