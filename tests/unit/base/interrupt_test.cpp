#include "base/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace xtts::base {
namespace {

// Each death test runs in a process of its own, so that the flag never leaks into other tests.
TEST(InterruptDeathTest, TheFirstSignalOnlySetsAFlagThatWorkSees) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        ::raise(SIGTERM);
        try {
          check_interrupt();
        } catch (const Interrupted& stop) {
          std::exit(stop.signal() == SIGTERM && pending_interrupt() == SIGTERM ? 42 : 1);
        }
        std::exit(1);
      },
      testing::ExitedWithCode(42),
      "");
}

TEST(InterruptDeathTest, TheSecondSignalEndsAtOnce) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        ::raise(SIGINT);
        ::raise(SIGINT);
      },
      testing::ExitedWithCode(130),
      "");
}

TEST(Interrupt, NothingIsPendingInAHealthyRun) {
  EXPECT_EQ(pending_interrupt(), 0);
  EXPECT_NO_THROW(check_interrupt());
}

}  // namespace
}  // namespace xtts::base
