#include "audio/mel_picture.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <png.h>

#include "audio/png.h"
#include "base/error.h"
#include "unit/audio/signals.h"

namespace myxtts::audio {
namespace {

Image decoded(const std::string& bytes) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()), 0);
  header.format = PNG_FORMAT_RGB;
  Image image{static_cast<int>(header.width), static_cast<int>(header.height), {}};
  image.pixels.resize(std::size_t{header.width} * header.height);
  EXPECT_NE(png_image_finish_read(&header, nullptr, image.pixels.data(), 0, nullptr), 0);
  return image;
}

std::size_t index_of(const Image& image, int x, int y) {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
         static_cast<std::size_t>(x);
}

// The row where column `x` is closest to the loud end of the colour map.
int brightest_row(const Image& image, int x) {
  int brightest = 0;
  int highest = -1;
  for (int y = 60; y < 360; ++y) {  // inside the plot
    const Rgb pixel = image.pixels[index_of(image, x, y)];
    const int brightness = pixel.red + pixel.green - pixel.blue;
    if (brightness > highest) {
      highest = brightness;
      brightest = y;
    }
  }
  return brightest;
}

TEST(MelPicture, AHigherToneIsDrawnHigher) {
  const ReferenceMel extractor({});

  const Image low = decoded(mel_png(extractor.log_mel(sine(500.0, 22050, 1.0)), {}, "low"));
  const Image high = decoded(mel_png(extractor.log_mel(sine(4000.0, 22050, 1.0)), {}, "high"));

  EXPECT_GT(brightest_row(low, 300), brightest_row(high, 300) + 100);
}

TEST(MelPicture, TimeRunsFromLeftToRight) {
  std::vector<float> samples = sine(500.0, 22050, 1.0);
  samples.resize(44100, 0.0F);  // tone, then silence

  const Image image = decoded(mel_png(ReferenceMel({}).log_mel(samples), {}, "half"));

  const int row = brightest_row(image, 200);
  const Rgb early = image.pixels[index_of(image, 200, row)];
  const Rgb late = image.pixels[index_of(image, 400, row)];
  EXPECT_GT(early.green, 150);
  EXPECT_LT(late.green, 50);
}

TEST(MelPicture, EqualArgumentsGiveEqualBytes) {
  const Mel mel = ReferenceMel({}).log_mel(noise(4000, 1));

  EXPECT_EQ(mel_png(mel, {}, "noise"), mel_png(mel, {}, "noise"));
  EXPECT_NE(mel_png(mel, {}, "noise"), mel_png(mel, {}, "other title"));
}

TEST(MelPicture, WidthIsBoundedForAnyLength) {
  const ReferenceMel extractor({});
  for (const double seconds : {0.0, 0.1, 12.0}) {
    const Image image =
        decoded(mel_png(extractor.log_mel(sine(300.0, 22050, seconds)), {}, std::string(500, 'x')));

    EXPECT_GE(image.width, 500) << seconds;
    EXPECT_LE(image.width, 1650) << seconds;
  }
}

TEST(MelPicture, RejectsAMelWithoutFrames) {
  EXPECT_THROW(mel_png({}, {}, "nothing"), UserError);
}

}  // namespace
}  // namespace myxtts::audio
