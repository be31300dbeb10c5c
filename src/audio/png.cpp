#include "audio/png.h"

#include <png.h>

#include "base/error.h"

namespace myxtts::audio {

std::string png_bytes(const Image& image) {
  invariant(image.width > 0 && image.height > 0 &&
                std::ssize(image.pixels) == std::ptrdiff_t{image.width} * image.height,
            "an image has width x height pixels");
  static_assert(sizeof(Rgb) == 3, "pixels are handed to libpng as they lie in memory");

  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;

  // The first call returns the size, the second the bytes.
  png_alloc_size_t size = 0;
  bool ok =
      png_image_write_to_memory(&header, nullptr, &size, 0, image.pixels.data(), 0, nullptr) != 0;
  std::string bytes(ok ? size : 0, '\0');
  ok = ok && png_image_write_to_memory(
                 &header, bytes.data(), &size, 0, image.pixels.data(), 0, nullptr) != 0;
  require(ok,
          "cannot encode a PNG image of {} x {} pixels: {}",
          image.width,
          image.height,
          header.message);
  bytes.resize(size);
  return bytes;
}

}  // namespace myxtts::audio
