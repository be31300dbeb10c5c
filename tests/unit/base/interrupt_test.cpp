#include "base/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace myxtts::base {
namespace {

// Each death test runs in a separate process, so that the flag does not affect other tests.
TEST(InterruptDeathTest, FirstSignalOnlySetsAFlag) {
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

TEST(InterruptDeathTest, SecondSignalExitsAtOnce) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        ::raise(SIGINT);
        ::raise(SIGINT);
      },
      testing::ExitedWithCode(130),
      "");
}

TEST(Interrupt, NothingIsPendingWithoutASignal) {
  EXPECT_EQ(pending_interrupt(), 0);
  EXPECT_NO_THROW(check_interrupt());
}

}  // namespace
}  // namespace myxtts::base
