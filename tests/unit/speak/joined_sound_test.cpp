#include "speak/joined_sound.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "audio/loudness.h"

namespace xtts::speak {
namespace {

constexpr int kRate = 22050;

std::vector<float> constant(std::size_t count, float value) {
  return std::vector<float>(count, value);
}

std::size_t samples_in(double seconds) {
  return static_cast<std::size_t>(std::llround(seconds * kRate));
}

TEST(JoinedSound, HasThePiecesInOrderWithTheirPauses) {
  const std::vector<SoundPiece> pieces = {{constant(4000, 0.5F), 0.2},
                                          {constant(3000, 0.25F), 9.0}};

  const std::vector<float> joined = join_sounds(pieces, kRate);

  const std::size_t first = samples_in(kLeadSeconds);
  const std::size_t second = first + 4000 + samples_in(0.2);
  ASSERT_EQ(joined.size(), second + 3000 + samples_in(kTailSeconds));
  EXPECT_EQ(joined[first + 2000], 0.5F);
  EXPECT_EQ(joined[second + 1500], 0.25F);
  EXPECT_TRUE(std::all_of(joined.begin() + static_cast<std::ptrdiff_t>(first + 4000),
                          joined.begin() + static_cast<std::ptrdiff_t>(second),
                          [](float sample) { return sample == 0.0F; }));
}

// An edge of half the full scale is a click; a fade takes many small steps.
TEST(JoinedSound, HasNoStepAtTheEdges) {
  const std::vector<SoundPiece> pieces = {{constant(4000, 0.5F), 0.0},
                                          {constant(3000, -0.5F), 0.0}};

  const std::vector<float> joined = join_sounds(pieces, kRate);

  float largest = 0.0F;
  for (std::size_t i = 1; i < joined.size(); ++i)
    largest = std::max(largest, std::abs(joined[i] - joined[i - 1]));
  EXPECT_LT(largest, 0.02F);
}

TEST(JoinedSound, IsTurnedDownAsAWholeWhenItIsTooLoud) {
  const std::vector<SoundPiece> pieces = {{constant(4000, 2.0F), 0.1},
                                          {constant(4000, -1.0F), 0.1}};

  const std::vector<float> joined = join_sounds(pieces, kRate);

  EXPECT_FLOAT_EQ(audio::peak_of(joined), audio::kPeakLimit);
  EXPECT_FLOAT_EQ(*std::ranges::min_element(joined), -audio::kPeakLimit / 2.0F);
}

TEST(JoinedSound, TakesPiecesOfAnyLength) {
  EXPECT_TRUE(join_sounds({}, kRate).empty());
  for (const std::size_t count : {0U, 1U, 2U, 3U, 50U}) {
    const std::vector<SoundPiece> pieces = {{constant(count, 0.5F), 0.0}};
    EXPECT_EQ(join_sounds(pieces, kRate).size(),
              samples_in(kLeadSeconds) + count + samples_in(kTailSeconds));
  }
}

}  // namespace
}  // namespace xtts::speak
