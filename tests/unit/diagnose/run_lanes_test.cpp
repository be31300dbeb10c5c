#include "diagnose/run_lanes.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace myxtts::diagnose {
namespace {

TEST(RunLanes, AreReadFromTheTraceWithTheModelFirst) {
  const support::TempDir dir;
  dir.write("trace.json", R"json([
{"ph":"M","pid":1,"tid":3,"name":"thread_name","args":{"name":"loader"}},
{"ph":"M","pid":1,"tid":9,"name":"thread_name","args":{"name":"model"}},
{"ph":"M","pid":1,"tid":12,"name":"thread_name","args":{"name":"loader (fallback)"}},
{"ph":"X","pid":1,"tid":3,"name":"collate","ts":1000000,"dur":500000},
{"ph":"X","pid":1,"tid":3,"name":"collate","ts":1750000,"dur":500000},
{"ph":"X","pid":1,"tid":12,"name":"collate","ts":2000000,"dur":500000},
{"ph":"X","pid":1,"tid":9,"name":"compute","ts":3000000,"dur":1000000},
{"ph":"X","pid":1,"tid":9,"name":"wait for data","ts":2000000,"dur":1000000},
{"ph":"X","pid":1,"tid":9,"name":"step","ts":2000000,"dur":2000000},
{"ph":"X","pid":1,"tid":9,"name":"host","ts":4000000,"dur":250000},
{"ph":"C","pid":1,"tid":9,"name":"buffer","ts":4000000,"args":{"value":3}}
])json");

  const std::vector<RunLane> lanes = read_lanes(dir.path() / "trace.json");

  ASSERT_EQ(lanes.size(), 3U);
  EXPECT_EQ(lanes[0].name, "model");
  ASSERT_EQ(lanes[0].spans.size(), 3U);
  EXPECT_EQ(lanes[0].spans[0].state, LaneState::kWaiting);
  EXPECT_DOUBLE_EQ(lanes[0].spans[0].from_s, 0.0) << "time starts with the model";
  EXPECT_DOUBLE_EQ(lanes[0].spans[0].to_s, 1.0);
  EXPECT_EQ(lanes[0].spans[1].state, LaneState::kBusy);
  EXPECT_EQ(lanes[0].spans[2].state, LaneState::kHost);
  EXPECT_EQ(lanes[1].name, "loader 1");
  ASSERT_EQ(lanes[1].spans.size(), 1U) << "the other span ended before";
  EXPECT_DOUBLE_EQ(lanes[1].spans[0].from_s, 0.0);
  EXPECT_DOUBLE_EQ(lanes[1].spans[0].to_s, 0.25);
  EXPECT_EQ(lanes[2].name, "fallback");
}

TEST(RunLanes, AreEmptyForAnInvalidTrace) {
  const support::TempDir dir;
  dir.write("trace.json", "[{\"ph\":");

  EXPECT_TRUE(read_lanes(dir.path() / "trace.json").empty());
  EXPECT_TRUE(read_lanes(dir.path() / "missing.json").empty());
}

}  // namespace
}  // namespace myxtts::diagnose
