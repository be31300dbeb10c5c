#include "synthesis/postfilter.h"

#include <vector>

#include <gtest/gtest.h>

namespace myxtts::synthesis {
namespace {

audio::Mel one_frame(std::vector<float> values) {
  return {.num_frames = 1, .n_mels = static_cast<int>(values.size()), .values = std::move(values)};
}

TEST(Postfilter, RaisesAPeakAndLowersItsNeighbours) {
  audio::Mel mel = one_frame({0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0});

  apply_postfilter(mel, 0.5, -10.0F, 20.0F);

  EXPECT_EQ(mel.values, (std::vector<float>{0, 0, -0.5, -0.5, -0.5, 10, -0.5, -0.5, -0.5, 0, 0}));
}

TEST(Postfilter, DoesNotChangeAFlatFrameOrAnyFrameAtStrengthZero) {
  const std::vector<float> values = {3, -1, 4, 1, -5, 9, 2, 6};
  audio::Mel flat = one_frame(std::vector<float>(80, -4.0F));
  audio::Mel mel = one_frame(values);

  apply_postfilter(flat, 1.0, -10.0F, 20.0F);
  apply_postfilter(mel, 0.0, -10.0F, 2.0F);

  EXPECT_EQ(flat.values, std::vector<float>(80, -4.0F));
  EXPECT_EQ(mel.values, values);
}

TEST(Postfilter, FiltersEachFrameIndependently) {
  audio::Mel single = one_frame({0, 0, 0, 0, 7});
  audio::Mel two{.num_frames = 2, .n_mels = 5, .values = {0, 0, 0, 0, 7, 9, 9, 9, 9, 9}};

  apply_postfilter(single, 0.5, -10.0F, 20.0F);
  apply_postfilter(two, 0.5, -10.0F, 20.0F);

  EXPECT_EQ(std::vector<float>(two.values.begin(), two.values.begin() + 5), single.values);
  EXPECT_EQ(single.values.back(),
            7.0F + 0.5F * (7.0F - 4.0F));  // four of seven are the edge itself
}

TEST(Postfilter, ClampsValuesToTheLimits) {
  audio::Mel mel = one_frame({-11, -11, -11, 2, -11, -11, -11});

  apply_postfilter(mel, kMaxPostfilter, -11.5F, 3.0F);

  EXPECT_EQ(mel.values, (std::vector<float>{-11.5, -11.5, -11.5, 3, -11.5, -11.5, -11.5}));
}

TEST(Postfilter, PartlyRestoresABlurredFrame) {
  const std::vector<float> sharp = {0, 0, 0, 0, 1, 4, 1, 0, 0, 0, 3, 0, 0, 0, 0, 0};
  std::vector<float> blurred = sharp;
  for (std::size_t i = 1; i + 1 < sharp.size(); ++i)
    blurred[i] = 0.25F * sharp[i - 1] + 0.5F * sharp[i] + 0.25F * sharp[i + 1];
  const auto distance = [&](const std::vector<float>& values) {
    float sum = 0.0F;
    for (std::size_t i = 0; i < sharp.size(); ++i)
      sum += (values[i] - sharp[i]) * (values[i] - sharp[i]);
    return sum;
  };
  audio::Mel mel = one_frame(blurred);

  apply_postfilter(mel, 0.5, -10.0F, 20.0F);

  EXPECT_LT(distance(mel.values), 0.8F * distance(blurred));
}

}  // namespace
}  // namespace myxtts::synthesis
