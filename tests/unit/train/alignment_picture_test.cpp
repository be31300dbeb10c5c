#include "train/alignment_picture.h"

#include <gtest/gtest.h>
#include <png.h>

#include "audio/png.h"
#include "base/error.h"

namespace myxtts::train {
namespace {

using audio::Image;
using audio::Rgb;

constexpr Rgb kStair{253, 231, 37};
constexpr Rgb kSkippedSymbol{230, 60, 50};

Image decoded(const AlignmentPicture& picture) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&header, picture.png.data(), picture.png.size()), 0);
  header.format = PNG_FORMAT_RGB;
  Image image{static_cast<int>(header.width), static_cast<int>(header.height), {}};
  image.pixels.resize(std::size_t{header.width} * header.height);
  EXPECT_NE(png_image_finish_read(&header, nullptr, image.pixels.data(), 0, nullptr), 0);
  return image;
}

// The number of pixels of a colour and their mean position.
struct Patch {
  int count = 0;
  double x = 0.0;
  double y = 0.0;
};

Patch patch_of(const Image& image, Rgb colour, int first_x, int end_x) {
  Patch patch;
  for (int y = 0; y < image.height; ++y) {
    for (int x = first_x; x < end_x; ++x) {
      if (image.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                       static_cast<std::size_t>(x)] != colour)
        continue;
      ++patch.count;
      patch.x += x;
      patch.y += y;
    }
  }
  patch.x /= patch.count;
  patch.y /= patch.count;
  return patch;
}

TEST(AlignmentPicture, RisesFromTheLowerLeftToTheUpperRight) {
  const std::vector<std::int64_t> durations = {50, 50, 50, 50};

  const AlignmentPicture picture =
      alignment_picture({.durations = durations, .num_frames = 200}, "even");

  const Image image = decoded(picture);
  EXPECT_EQ(image.width, picture.width);
  EXPECT_EQ(image.height, picture.height);
  const Patch early = patch_of(image, kStair, 0, image.width / 2);
  const Patch late = patch_of(image, kStair, image.width / 2, image.width);
  EXPECT_GT(early.y, late.y + 50);
}

TEST(AlignmentPicture, AreasAreProportionalToDurations) {
  const std::vector<std::int64_t> long_first = {180, 20};

  const Image image =
      decoded(alignment_picture({.durations = long_first, .num_frames = 240}, "cut"));

  // 480 pixels for 240 frames, 240 for two symbols; the last 40 frames have no symbol.
  const int plot_left = 108;
  EXPECT_EQ(patch_of(image, kStair, 0, image.width).count, 400 * 120);
  EXPECT_EQ(patch_of(image, kStair, plot_left + 400, image.width).count, 0);
}

TEST(AlignmentPicture, MarksASymbolWithoutFrames) {
  const std::vector<std::int64_t> skipping = {100, 0, 100, 0};
  const std::vector<std::int64_t> speaking = {99, 1, 99, 1};

  const Image marked = decoded(alignment_picture({.durations = skipping, .num_frames = 200}, ""));
  const Image plain = decoded(alignment_picture({.durations = speaking, .num_frames = 200}, ""));

  EXPECT_EQ(patch_of(marked, kSkippedSymbol, 0, marked.width).count, 2 * 3 * 60);
  EXPECT_EQ(patch_of(plain, kSkippedSymbol, 0, plain.width).count, 0);
}

TEST(AlignmentPicture, DrawsLabelsDeterministically) {
  const std::vector<std::int64_t> durations = {2, 3, 4};
  const AlignmentView numbered{.durations = durations, .num_frames = 9};
  AlignmentView labelled = numbered;
  labelled.labels = {"h", "\xC9\x99", " "};

  EXPECT_EQ(alignment_picture(labelled, "t").png, alignment_picture(labelled, "t").png);
  EXPECT_NE(alignment_picture(labelled, "t").png, alignment_picture(numbered, "t").png);
}

TEST(AlignmentPicture, HasALimitedSizeForALongUtterance) {
  const std::vector<std::int64_t> durations(700, 5);

  const AlignmentPicture picture =
      alignment_picture({.durations = durations, .num_frames = 3500}, std::string(500, 'x'));

  EXPECT_LE(picture.width, 1600);
  EXPECT_LE(picture.height, 1100);
}

TEST(AlignmentPicture, RejectsDurationsBeyondTheFrames) {
  const std::vector<std::int64_t> durations = {5, 6};

  EXPECT_THROW(alignment_picture({.durations = durations, .num_frames = 10}, ""), BugError);
  EXPECT_THROW(alignment_picture({.durations = {}, .num_frames = 10}, ""), BugError);
}

}  // namespace
}  // namespace myxtts::train
