#include "base/onednn_limit.h"

#include <cstdlib>
#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace xtts::base {
namespace {

// The environment is as it was when a test ends.
class OnednnLimit : public testing::Test {
 protected:
  OnednnLimit() {
    if (const char* words = std::getenv(kOnednnLimit)) before_ = words;
    unsetenv(kOnednnLimit);
  }
  ~OnednnLimit() override {
    unsetenv(kOnednnLimit);
    if (before_) setenv(kOnednnLimit, before_->c_str(), /*overwrite=*/1);
  }

 private:
  std::optional<std::string> before_;
};

TEST_F(OnednnLimit, LeavesOutTilesWithoutAPalette) {
  limit_onednn(/*tiles_are_unlisted=*/true);

  EXPECT_STREQ(std::getenv(kOnednnLimit), "AVX512_CORE_FP16");
}

TEST_F(OnednnLimit, LeavesOtherMachinesAlone) {
  limit_onednn(/*tiles_are_unlisted=*/false);

  EXPECT_EQ(std::getenv(kOnednnLimit), nullptr);
}

TEST_F(OnednnLimit, WhatTheCallerHasSaidStays) {
  setenv(kOnednnLimit, "AVX2", /*overwrite=*/1);

  limit_onednn(/*tiles_are_unlisted=*/true);

  EXPECT_STREQ(std::getenv(kOnednnLimit), "AVX2");
}

}  // namespace
}  // namespace xtts::base
