#include "config/data_config.h"

#include <gtest/gtest.h>

#include "base/threads.h"

namespace myxtts::config {
namespace {

TEST(DataConfig, UnsetWorkersMeanAllUsableCoresAndZeroMeansInline) {
  DataConfig data;
  EXPECT_EQ(num_workers_of(data), base::num_usable_cores());

  data.num_workers = 3;
  EXPECT_EQ(num_workers_of(data), 3);
  data.num_workers = 0;
  EXPECT_EQ(num_workers_of(data), 0);
}

TEST(DataConfig, AGpuIndexSetsTheDeviceOfItsLane) {
  DataConfig data;
  EXPECT_EQ(data_lane_of(data), std::nullopt);
  EXPECT_EQ(model_lane_of(data), std::nullopt);

  data.data_gpu = 0;
  data.model_gpu = 3;
  EXPECT_EQ(data_lane_of(data), "cuda:0");
  EXPECT_EQ(model_lane_of(data), "cuda:3");

  data = {};
  data.data_device = "cpu:0";
  data.model_device = "cuda:1";
  EXPECT_EQ(data_lane_of(data), "cpu:0");
  EXPECT_EQ(model_lane_of(data), "cuda:1");
}

}  // namespace
}  // namespace myxtts::config
