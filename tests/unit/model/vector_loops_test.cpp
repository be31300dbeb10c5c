#include "model/vector_loops.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "unit/model/kernel_values.h"

namespace myxtts::model {
namespace {

Bfloat16 stored(float value) {
  Bfloat16 result = 0;
  store(value, result);
  return result;
}

TEST(StoreBfloat16, RoundsToNearestTiesToEven) {
  EXPECT_EQ(as_double(stored(1.0F)), 1.0);
  EXPECT_EQ(as_double(stored(1.0F + 1.0F / 256.0F)), 1.0);
  EXPECT_EQ(as_double(stored(1.0F + 3.0F / 256.0F)), 1.0 + 4.0 / 256.0);
  EXPECT_EQ(as_double(stored(1.0F + 1.1F / 256.0F)), 1.0 + 2.0 / 256.0);
  EXPECT_EQ(as_double(stored(-0.0F)), 0.0);
}

// The finite check of the step relies on it.
TEST(StoreBfloat16, KeepsValuesThatAreNotFinite) {
  for (const std::uint32_t bits : {0x7FC00000U, 0x7FFFFFFFU, 0xFFFFFFFFU, 0x7F800001U})
    EXPECT_TRUE(std::isnan(as_double(stored(std::bit_cast<float>(bits))))) << std::hex << bits;
  EXPECT_EQ(as_double(stored(std::numeric_limits<float>::infinity())),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(as_double(stored(-std::numeric_limits<float>::infinity())),
            -std::numeric_limits<double>::infinity());
}

TEST(SumOf, SumsAnyCount) {
  for (std::int64_t count = 0; count < 70; ++count)
    EXPECT_EQ(sum_of(count, [](std::int64_t i) { return static_cast<float>(i); }),
              static_cast<float>(count * (count - 1)) / 2.0F);
}

TEST(ForEachLaneBlock, VisitsEveryChannelOnce) {
  for (const std::int64_t channels : {0, 1, 15, 16, 17, 48, 50}) {
    std::vector<int> visits(static_cast<std::size_t>(channels));
    for_each_lane_block(channels, [&](std::int64_t d, std::int64_t width) {
      EXPECT_LE(width, kLanes);
      for (std::int64_t j = 0; j < width; ++j)
        ++visits[static_cast<std::size_t>(d + j)];
    });
    EXPECT_EQ(visits, std::vector<int>(static_cast<std::size_t>(channels), 1)) << channels;
  }
}

}  // namespace
}  // namespace myxtts::model
