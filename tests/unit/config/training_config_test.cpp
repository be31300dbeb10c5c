#include "config/training_config.h"

#include <gtest/gtest.h>

#include "base/threads.h"

namespace myxtts::config {
namespace {

TEST(TrainingConfig, UnsetThreadsMeanAllUsableCores) {
  TrainingConfig training;
  EXPECT_EQ(threads_of(training), base::num_usable_cores());

  training.threads = 3;
  EXPECT_EQ(threads_of(training), 3);
}

}  // namespace
}  // namespace myxtts::config
