#include "cli/stats_shapes.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace myxtts::cli {
namespace {

// Returns 400 utterances of 20 symbols and 100 to 499 frames.
std::vector<data::Lengths> uniform_lengths() {
  std::vector<data::Lengths> lengths;
  for (std::int64_t i = 0; i < 400; ++i)
    lengths.push_back({.text = 20, .mel = 100 + i});
  return lengths;
}

config::Config with_limit(int max_mel_frames) {
  config::Config config;
  config.data.max_mel_frames = max_mel_frames;
  return config;
}

TEST(StatsShapes, ComparesTheTrainingPlanWithOtherSettings) {
  const StatsShapes shapes = shapes_of({}, uniform_lengths(), {});

  const nlohmann::json plan = shape_plan_json(shapes);
  EXPECT_EQ(plan["mode"], "buckets");
  EXPECT_TRUE(plan["refusal"].is_null());
  ASSERT_GE(plan["signatures"].size(), 3U);
  double shares = 0.0;
  for (const nlohmann::json& signature : plan["signatures"]) {
    EXPECT_EQ(signature["text"], 24);
    EXPECT_GT(signature["batch"].get<int>(), 0);
    shares += signature["share"].get<double>();
  }
  EXPECT_NEAR(shares, 1.0, 1e-9);
  EXPECT_EQ(plan["signatures"].back()["mel"], 504);

  // The mean of 299.5 frames is padded to 512 (fixed) or to the longest of 16, about 476 (dynamic).
  const nlohmann::json padding = padding_json(shapes);
  EXPECT_NEAR(padding["fixed"].get<double>(), 1.0 - 299.5 / 512.0, 0.005);
  EXPECT_NEAR(padding["dynamic"].get<double>(), 1.0 - 299.5 / 476.0, 0.005);
  EXPECT_LT(padding["plan"].get<double>(), 0.12);
}

TEST(StatsShapes, TheConfiguredSettingIsThePlan) {
  config::Config config;
  config.data.pad_to_fixed_length = true;
  config.data.batch_size = 8;
  const StatsShapes fixed = shapes_of(config, uniform_lengths(), {});
  EXPECT_EQ(shape_plan_json(fixed)["mode"], "fixed");
  EXPECT_EQ(
      shape_plan_json(fixed)["signatures"],
      nlohmann::json::parse(R"([{"batch": 8, "text": 200, "mel": 512, "share": 1.0, "padding": )" +
                            nlohmann::json(fixed.configured.padding).dump() + "}]"));
  EXPECT_EQ(padding_json(fixed)["plan"], padding_json(fixed)["fixed"]);

  config.data.pad_to_fixed_length = false;
  const StatsShapes dynamic = shapes_of(config, uniform_lengths(), {});
  EXPECT_EQ(shape_plan_json(dynamic)["mode"], "dynamic");
  EXPECT_TRUE(shape_plan_json(dynamic)["signatures"].empty());
  EXPECT_EQ(padding_json(dynamic)["plan"], padding_json(dynamic)["dynamic"]);
}

TEST(StatsShapes, ReportsThatTrainWouldRefuseTheLimits) {
  const StatsShapes shapes = shapes_of(with_limit(200), uniform_lengths(), {});

  EXPECT_TRUE(shape_plan_json(shapes)["signatures"].empty());
  EXPECT_TRUE(padding_json(shapes)["plan"].is_null());
  EXPECT_NE(shape_plan_json(shapes)["refusal"].get<std::string>().find("--max-mel-frames 512"),
            std::string::npos);
  EXPECT_NE(shapes_text(shapes).find("train refuses: more than half"), std::string::npos);
}

TEST(StatsShapes, TheTextHasTheTableAndTheComparison) {
  const std::string text = shapes_text(shapes_of(with_limit(470), uniform_lengths(), {}));

  for (const char* part : {"Shape plan (buckets, batch size 16)\n",
                           "x24x472",
                           " % of steps",
                           "  this plan ",
                           "  one fixed signature   39.4 %  16x200x470, 7.2 % of the utterances",
                           "  dynamic shapes "}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
  }
}

TEST(StatsShapes, TheHtmlHasARowForEachSignature) {
  const StatsShapes shapes = shapes_of({}, uniform_lengths(), {});
  const std::string html = shapes_section(shapes);

  for (const data::PlanRow& row : shapes.rows) {
    EXPECT_NE(html.find("<th scope=\"row\">" + data::name_of(row.signature) + "</th>"),
              std::string::npos)
        << html;
  }
}

}  // namespace
}  // namespace myxtts::cli
