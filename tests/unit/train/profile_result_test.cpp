#include "train/profile_result.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/has.h"

namespace myxtts::train {
namespace {

ProfiledSteps two_steps() {
  ProfiledSteps profile;
  profile.record.steps = {{.step_s = 0.5, .wait_s = 0.3, .copy_s = 0.1, .host_s = 0.2},
                          {.step_s = 0.5, .wait_s = 0.3, .copy_s = 0.1, .host_s = 0.2}};
  profile.findings = {
      {.id = "few_workers", .message = "the model waits", .suggestion = "myxtts top"}};
  profile.operators = {{"aten::mm", 0.5, 20}, {"aten::add", 0.1, 40}, {"aten::tiny", 0.001, 2}};
  profile.trace = "runs/voice/profile_trace.json";
  return profile;
}

TEST(ProfileResult, TextShowsTheTimeSplit) {
  const std::string text = to_text(two_steps());

  EXPECT_TRUE(support::has(text,
                           "2 steps, 1.00 s each: compute 40 %, copy 10 %, wait 30 %, "
                           "host 20 %"));
  EXPECT_TRUE(support::has(text, "aten::mm"));
  EXPECT_TRUE(support::has(text, "20 calls"));
  EXPECT_FALSE(support::has(text, "aten::tiny")) << "below one percent";
  EXPECT_TRUE(support::has(text, "[profile] WARNING: the model waits: myxtts top\n"));
  EXPECT_TRUE(support::has(text, "limited by "));
  EXPECT_TRUE(support::has(text, "profile_trace.json"));
}

TEST(ProfileResult, JsonHasAllFields) {
  const nlohmann::ordered_json json = to_json(two_steps());

  EXPECT_EQ(json["steps"], 2);
  EXPECT_DOUBLE_EQ(json["step_s"], 1.0);
  EXPECT_DOUBLE_EQ(json["time_split"]["copy"], 0.1);
  EXPECT_EQ(json["operators"].size(), 3U);
  EXPECT_DOUBLE_EQ(json["operators"][0]["share"], 0.25);
  EXPECT_EQ(json["record"]["steps"].size(), 2U);
  EXPECT_EQ(json["findings"][0]["id"], "few_workers");
}

TEST(ProfileResult, HandlesARunWithoutSteps) {
  EXPECT_TRUE(support::has(to_text({}), "no step"));
  EXPECT_EQ(to_json({})["steps"], 0);
}

}  // namespace
}  // namespace myxtts::train
