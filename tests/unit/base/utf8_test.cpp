#include "base/utf8.h"

#include <string>

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::base {
namespace {

TEST(IsUtf8, AcceptsEveryPlane) {
  for (const char* good :
       {"", "plain", "\u00e9", "\u0633\u0644\u0627\u0645", "\u20ac", "\U0001F600", "\U0010FFFF"}) {
    EXPECT_TRUE(is_utf8(good)) << good;
  }
}

TEST(IsUtf8, RefusesMalformedSequences) {
  for (const char* bad : {"\x80",              // continuation first
                          "\xC3",              // cut off
                          "\xC0\xAF",          // overlong, two bytes
                          "\xE0\x80\xAF",      // overlong, three bytes
                          "\xF0\x80\x80\xAF",  // overlong, four bytes
                          "\xED\xA0\x80",      // surrogate
                          "\xF4\x90\x80\x80",  // above U+10FFFF
                          "\xFF"}) {
    EXPECT_FALSE(is_utf8(bad));
    EXPECT_THROW(decode_utf8(bad), UserError);
  }
}

TEST(DecodeUtf8, RoundTripsEveryCodePoint) {
  for (char32_t value = 1; value <= 0x10FFFF; value += value < 0x3000 ? 1 : 97) {
    if (value >= 0xD800 && value <= 0xDFFF) continue;
    const std::u32string one(1, value);
    ASSERT_EQ(decode_utf8(encode_utf8(one)), one) << static_cast<std::uint32_t>(value);
  }
}

TEST(DisplayWidth, CountsCodePoints) {
  EXPECT_EQ(display_width("s\u00e9\u0633"), 3U);
}

}  // namespace
}  // namespace myxtts::base
