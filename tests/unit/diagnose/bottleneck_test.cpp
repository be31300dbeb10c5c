#include "diagnose/bottleneck.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace xtts::diagnose {
namespace {

const std::vector<verdict::Stage>& usual_stages() {
  static const std::vector<verdict::Stage> kStages = {
      {.name = "read", .cpu_s = 1e-4, .wall_s = 2e-4},
      {.name = "mel", .cpu_s = 7e-3},
      {.name = "text", .cpu_s = 0.1, .wall_s = 0.1},
      {.name = "pad", .cpu_s = 1e-4}};
  return kStages;
}

// One worker whose mels take longer than the steps of the model.
BottleneckReport starved_report() {
  config::Config config;
  BottleneckReport report{.corpus = "a corpus of <tones>"};
  report.stages = {.num_measured = 4, .stages = usual_stages()};
  report.loader = {.num_workers = 1, .batch_s = {0.1, 0.1, 0.2}, .depth = {0, 0, 0}};
  report.record.settings.num_workers = 1;
  report.record.settings.batch_size = 16;
  report.record.machine.usable_cores = 8;
  report.record.loading.stages = stages_per_row(usual_stages(), config, 100.0);
  report.lanes = {
      {.name = "model", .spans = {{.state = LaneState::kWaiting, .from_s = 0.0, .to_s = 1.0}}}};
  return report;
}

std::vector<RunStep> waiting_steps(double wait_s) {
  return std::vector<RunStep>(
      6, {.measured = {.step_s = 0.05, .wait_s = wait_s, .host_s = 0.0, .buffer_depth = 0}});
}

TEST(Bottleneck, NamesTheStageAndTheWorkersThatWouldDo) {
  BottleneckReport report = starved_report();

  judge_bottleneck(report, waiting_steps(0.08));

  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].id, "one_worker");
  EXPECT_NE(report.findings[0].message.find("mel takes"), std::string::npos);
  EXPECT_EQ(report.findings[0].remedy, "--num-workers 3");  // 16 rows of 8.3 ms in steps of 50 ms
  EXPECT_EQ(report.record.steps.size(), 5U);                // all but the first
  EXPECT_EQ(to_json(report)["limit"], "loading");
  EXPECT_NE(to_text(report).find("limited by loading"), std::string::npos);
}

TEST(Bottleneck, AModelThatNeverWaitsIsHealthy) {
  BottleneckReport report = starved_report();

  judge_bottleneck(report, waiting_steps(0.0));

  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(to_json(report)["healthy"], true);
  EXPECT_EQ(to_json(report)["limit"], "model");
}

TEST(Bottleneck, APageShowsLanesAndRunsNothing) {
  BottleneckReport report = starved_report();
  judge_bottleneck(report, waiting_steps(0.08));

  const std::string page = to_html(report);

  EXPECT_NE(page.find("Lanes over time"), std::string::npos);
  EXPECT_NE(page.find("--num-workers 3"), std::string::npos);
  EXPECT_NE(page.find("&lt;tones&gt;"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
}

TEST(StagesPerRow, CountTextOncePerRunAndAClipWithoutACache) {
  config::Config config;
  config.data.feature_cache = "auto";
  const std::vector<verdict::Stage> cached = stages_per_row(usual_stages(), config, 100.0);
  config.data.feature_cache = "off";
  const std::vector<verdict::Stage> uncached = stages_per_row(usual_stages(), config, 100.0);

  EXPECT_DOUBLE_EQ(*cached[1].cpu_s, 7e-3);
  EXPECT_DOUBLE_EQ(*uncached[0].wall_s, 4e-4);
  EXPECT_DOUBLE_EQ(*uncached[1].cpu_s, 14e-3);
  EXPECT_FALSE(uncached[1].wall_s);
  EXPECT_DOUBLE_EQ(*uncached[2].wall_s, 1e-3);
  EXPECT_DOUBLE_EQ(*uncached[3].cpu_s, 1e-4);
}

TEST(SettingsForRecord, AreThoseThatARunWillHave) {
  config::Config config;
  config.data.batch_size = 8;
  config.data.num_workers = 3;
  config.training.max_steps = 500;
  const std::vector<int> cores = {0, 1, 2, 3};

  const verdict::Settings settings =
      settings_for_record(config, pipeline::choose_lanes(config, cores, {}), 1000);

  EXPECT_EQ(settings.num_workers, 3);
  EXPECT_EQ(settings.batch_size, 8);
  EXPECT_EQ(settings.shape_mode, "buckets");
  EXPECT_DOUBLE_EQ(*settings.planned_epochs, 4.0);
  EXPECT_EQ(settings.planned_steps, 500);
  EXPECT_FALSE(settings.precision);  // decided when the run begins
}

}  // namespace
}  // namespace xtts::diagnose
