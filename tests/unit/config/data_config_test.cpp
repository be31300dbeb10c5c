#include "config/data_config.h"

#include <gtest/gtest.h>

#include "base/threads.h"

namespace xtts::config {
namespace {

TEST(DataConfig, UnsetWorkersMeanEveryUsableCoreAndZeroMeansInline) {
  DataConfig data;
  EXPECT_EQ(num_workers_of(data), base::num_usable_cores());

  data.num_workers = 3;
  EXPECT_EQ(num_workers_of(data), 3);
  data.num_workers = 0;
  EXPECT_EQ(num_workers_of(data), 0);
}

}  // namespace
}  // namespace xtts::config
