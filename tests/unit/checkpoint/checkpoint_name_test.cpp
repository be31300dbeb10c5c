#include "checkpoint/checkpoint_name.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace myxtts::checkpoint {
namespace {

TEST(CheckpointName, NameAndStepRoundTrip) {
  for (const std::int64_t step : {0L, 7L, 99'999'999L, 100'000'000L, 1L << 62U})
    EXPECT_EQ(step_of(checkpoint_name(step)), step);
  EXPECT_EQ(checkpoint_name(1234), "step_00001234");
  EXPECT_EQ(step_of("runs/a/checkpoints/step_00000012/"), 12);
}

TEST(CheckpointName, OtherNamesAreNotCheckpoints) {
  for (const char* name : {"step_7",
                           "step_000000007",
                           "step_-0000007",
                           "step_0000000x",
                           "step_",
                           "Step_00000007",
                           "step_00000007.broken.1",
                           "step_00000007.tmp.12",
                           "step_99999999999999999999",
                           ""})
    EXPECT_EQ(step_of(name), std::nullopt) << name;
}

TEST(CheckpointName, UnfinishedNamesContainThePid) {
  EXPECT_EQ(unfinished_name(7), "step_00000007.tmp." + std::to_string(::getpid()));
  EXPECT_TRUE(is_unfinished_checkpoint(unfinished_name(7)));
  for (const char* name : {"step_00000007", "step_00000007.tmp.", "step_00000007.tmp.a", "a.tmp.1"})
    EXPECT_FALSE(is_unfinished_checkpoint(name)) << name;
}

}  // namespace
}  // namespace myxtts::checkpoint
