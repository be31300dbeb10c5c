#include "base/onednn_limit.h"

#include <cstdlib>
#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace myxtts::base {
namespace {

// Clears the variable for a test and restores it afterwards.
class OnednnLimit : public testing::Test {
 protected:
  OnednnLimit() {
    if (const char* value = std::getenv(kOnednnLimit)) previous_ = value;
    unsetenv(kOnednnLimit);
  }
  ~OnednnLimit() override {
    unsetenv(kOnednnLimit);
    if (previous_) setenv(kOnednnLimit, previous_->c_str(), /*overwrite=*/1);
  }

 private:
  std::optional<std::string> previous_;
};

TEST_F(OnednnLimit, DisablesTilesWithoutAPalette) {
  limit_onednn(/*tiles_are_unusable=*/true);

  EXPECT_STREQ(std::getenv(kOnednnLimit), "AVX512_CORE_FP16");
}

TEST_F(OnednnLimit, DoesNothingOnOtherMachines) {
  limit_onednn(/*tiles_are_unusable=*/false);

  EXPECT_EQ(std::getenv(kOnednnLimit), nullptr);
}

TEST_F(OnednnLimit, KeepsALimitFromTheEnvironment) {
  setenv(kOnednnLimit, "AVX2", /*overwrite=*/1);

  limit_onednn(/*tiles_are_unusable=*/true);

  EXPECT_STREQ(std::getenv(kOnednnLimit), "AVX2");
}

}  // namespace
}  // namespace myxtts::base
