// Tests refused command lines; tests/unit/bench tests the benchmarks.
#include <gtest/gtest.h>

#include "support/command_line.h"

namespace myxtts::cli {
namespace {

TEST(BenchCommand, RefusesInvalidSecondsAndNamesTheRange) {
  for (const char* seconds : {"nan", "0", "inf", "-1", "3601"}) {
    const support::CommandResult result =
        support::run_myxtts({"bench", "mel", "--seconds", seconds});

    EXPECT_EQ(result.code, 2) << seconds;
    EXPECT_NE(result.errors.find("expected 0.1 to 3600"), std::string::npos) << result.errors;
  }
}

}  // namespace
}  // namespace myxtts::cli
