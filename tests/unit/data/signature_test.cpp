#include "data/signature.h"

#include <gtest/gtest.h>

namespace myxtts::data {
namespace {

TEST(Signature, NameListsItsSizes) {
  EXPECT_EQ(name_of({.batch = 16, .text = 96, .mel = 640}), "16x96x640");
  EXPECT_EQ(name_of({.batch = 8, .samples = 16384}), "8x16384");
  EXPECT_EQ(name_of(Signature{}), "");
}

TEST(Signature, HoldsUtterancesThatAreNotLongerInEitherDimension) {
  const Signature signature{.batch = 1, .text = 96, .mel = 640};

  EXPECT_TRUE(holds(signature, {96, 640}));
  EXPECT_FALSE(holds(signature, {97, 640}));
  EXPECT_FALSE(holds(signature, {96, 641}));
}

}  // namespace
}  // namespace myxtts::data
