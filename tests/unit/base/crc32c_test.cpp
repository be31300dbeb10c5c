#include "base/crc32c.h"

#include <string>

#include <gtest/gtest.h>

#include "base/random.h"

namespace myxtts::base {
namespace {

std::string random_bytes(std::size_t count, Random& random) {
  std::string bytes(count, '\0');
  for (char& byte : bytes)
    byte = static_cast<char>(random.next());
  return bytes;
}

// Test vectors of RFC 3720, B.4, and the usual check value.
TEST(Crc32c, MatchesPublishedValues) {
  std::string ascending(32, '\0');
  for (std::size_t i = 0; i < ascending.size(); ++i)
    ascending[i] = static_cast<char>(i);

  for (const auto function : {crc32c, crc32c_table}) {
    EXPECT_EQ(function("", 0), 0U);
    EXPECT_EQ(function("123456789", 0), 0xE3069283U);
    EXPECT_EQ(function(std::string(32, '\0'), 0), 0x8A9136AAU);
    EXPECT_EQ(function(std::string(32, '\xff'), 0), 0x62A8AB43U);
    EXPECT_EQ(function(ascending, 0), 0x46DD794EU);
  }
}

TEST(Crc32c, InstructionAndTableAgreeAtEveryLengthAndAlignment) {
  Random random(1);
  const std::string bytes = random_bytes(300, random);

  for (std::size_t start = 0; start < 9; ++start) {
    for (std::size_t length = 0; length + start <= 80; ++length) {
      const std::string_view piece = std::string_view(bytes).substr(start, length);
      ASSERT_EQ(crc32c(piece), crc32c_table(piece)) << start << " " << length;
    }
  }
}

TEST(Crc32c, ChainedPiecesEqualTheWhole) {
  Random random(2);
  const std::string bytes = random_bytes(1000, random);

  for (int i = 0; i < 100; ++i) {
    const std::size_t cut = random.below(bytes.size() + 1);
    const std::string_view whole = bytes;
    ASSERT_EQ(crc32c(whole.substr(cut), crc32c(whole.substr(0, cut))), crc32c(whole)) << cut;
  }
}

// The header of the first record in a TensorFlow event file: length 24.
TEST(Crc32c, MaskedValueMatchesTensorBoard) {
  const std::string length("\x18\0\0\0\0\0\0\0", 8);

  EXPECT_EQ(masked_crc32c(length), 0x224B7FA3U);
}

}  // namespace
}  // namespace myxtts::base
