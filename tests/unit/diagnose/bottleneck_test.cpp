#include "diagnose/bottleneck.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace myxtts::diagnose {
namespace {

const std::vector<rules::Stage>& typical_stages() {
  static const std::vector<rules::Stage> stages = {{.name = "read", .cpu_s = 1e-4, .wall_s = 2e-4},
                                                   {.name = "mel", .cpu_s = 7e-3},
                                                   {.name = "text", .cpu_s = 0.1, .wall_s = 0.1},
                                                   {.name = "pad", .cpu_s = 1e-4}};
  return stages;
}

// One worker whose mel extraction takes longer than the model's steps.
BottleneckReport starved_report() {
  config::Config config;
  config.data.feature_cache = "off";
  BottleneckReport report{.corpus = "a corpus of <tones>"};
  report.record.settings.planned_epochs = 100.0;
  report.stages = {.num_measured = 4, .stages = typical_stages()};
  report.loader = {.num_workers = 1, .batch_s = {0.1, 0.1, 0.2}};
  report.record.settings.num_workers = 1;
  report.record.settings.batch_size = 16;
  report.record.machine.usable_cores = 8;
  report.record.loading.stages = stages_per_row(typical_stages(), config, 100.0);
  return report;
}

// A short run that waited `wait_s` before each step.
ShortRun waiting_run(double wait_s) {
  ShortRun run;
  run.record.settings = {.batch_size = 16, .num_workers = 1, .planned_steps = 6};
  run.record.machine.usable_cores = 8;
  run.record.steps = std::vector<rules::Step>(
      6, {.step_s = 0.05, .wait_s = wait_s, .host_s = 0.0, .buffer_depth = 0});
  run.lanes = {
      {.name = "model", .spans = {{.state = LaneState::kWaiting, .from_s = 0.0, .to_s = 1.0}}}};
  return run;
}

BottleneckReport diagnosed_report(double wait_s) {
  BottleneckReport report = starved_report();
  report.model = ModelAlone{.copy_s = 1e-3, .step_s = 2e-3};
  add_run(report, waiting_run(wait_s));
  bottleneck_findings(report);
  return report;
}

TEST(Bottleneck, ReportsTheSlowStageAndTheWorkersNeeded) {
  const BottleneckReport report = diagnosed_report(0.08);

  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].id, "one_worker");
  EXPECT_NE(report.findings[0].message.find("mel takes"), std::string::npos);
  EXPECT_EQ(report.findings[0].suggestion,
            "--num-workers 5");               // 16 rows of 15.5 ms in steps of 50 ms
  EXPECT_EQ(report.record.steps.size(), 5U);  // without the first
  EXPECT_EQ(to_json(report)["limit"], "loading");
  EXPECT_NE(to_text(report).find("limited by loading"), std::string::npos);
}

TEST(Bottleneck, ReportsTheLongestBatchTime) {
  BottleneckReport report = diagnosed_report(0.0);
  report.loader.batch_s = std::vector<double>(50, 0.34);
  report.loader.batch_s[20] = 1.27;

  EXPECT_NE(to_text(report).find("median 0.34 s, max 1.27 s"), std::string::npos)
      << to_text(report);
  EXPECT_EQ(to_json(report)["loader"]["variation"]["longest_s"], 0.34);
  EXPECT_EQ(to_json(report)["loader"]["variation"]["max_s"], 1.27);
}

TEST(Bottleneck, IsHealthyIfTheModelNeverWaits) {
  const BottleneckReport report = diagnosed_report(0.0);

  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(to_json(report)["healthy"], true);
  EXPECT_EQ(to_json(report)["limit"], "model");
}

TEST(Bottleneck, HtmlShowsLanesWithoutScripts) {
  const BottleneckReport report = diagnosed_report(0.08);

  const std::string page = to_html(report);

  EXPECT_NE(page.find("Lanes over time"), std::string::npos);
  EXPECT_NE(page.find("--num-workers 5"), std::string::npos);
  EXPECT_NE(page.find("&lt;tones&gt;"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
}

TEST(StagesPerRow, CountCachedStagesOncePerRunAndReferenceClipsWithoutACache) {
  config::Config config;
  config.data.feature_cache = "auto";
  const std::vector<rules::Stage> cached = stages_per_row(typical_stages(), config, 100.0);
  config.data.feature_cache = "off";
  const std::vector<rules::Stage> uncached = stages_per_row(typical_stages(), config, 100.0);

  EXPECT_DOUBLE_EQ(*cached[1].cpu_s, 7e-5);
  EXPECT_DOUBLE_EQ(*cached[3].cpu_s, 1e-4);
  EXPECT_DOUBLE_EQ(*uncached[0].wall_s, 4e-4);
  EXPECT_DOUBLE_EQ(*uncached[1].cpu_s, 14e-3);
  EXPECT_FALSE(uncached[1].wall_s);
  EXPECT_DOUBLE_EQ(*uncached[2].wall_s, 1e-3);
  EXPECT_DOUBLE_EQ(*uncached[3].cpu_s, 1e-4);
}

TEST(Bottleneck, CombinesItsMeasurementsWithTheRecordOfTheRun) {
  BottleneckReport report = starved_report();
  report.record.machine.open_s = 0.01;
  report.record.corpus.silence_share = 0.25;
  report.record.corpus.bad_share = 0.5;  // of a sample
  ShortRun run = waiting_run(0.0);
  run.record.corpus.bad_share = 0.03;  // of the whole corpus
  run.record.corpus.mel_p99 = 700;
  run.record.memory.need_bytes = 5;

  add_run(report, run);

  EXPECT_EQ(report.record.machine.open_s, 0.01);
  EXPECT_EQ(report.record.corpus.silence_share, 0.25);
  EXPECT_EQ(report.record.corpus.bad_share, 0.03);
  EXPECT_EQ(report.record.corpus.mel_p99, 700);
  EXPECT_EQ(report.record.memory.need_bytes, 5);
  EXPECT_EQ(report.record.settings.planned_epochs, 100.0) << "of the planned training run";
  EXPECT_FALSE(report.record.settings.planned_steps) << "not those of the short run";
  EXPECT_EQ(report.record.loading.stages.size(), 4U);
  EXPECT_EQ(report.lanes.size(), 1U);
}

TEST(ModelAlone, IsTheMedianStepPerUtterance) {
  rules::Record run;
  run.settings.batch_size = 10;
  run.steps = {{.step_s = 0.5, .copy_s = 0.1}, {.step_s = 0.5, .copy_s = 0.1}, {.step_s = 9.0}};

  const ModelAlone alone = model_alone(run);

  EXPECT_NEAR(alone.copy_s, 0.2 / 3.0 / 10.0, 1e-12);
  EXPECT_NEAR(alone.step_s, 0.04, 1e-12);
  for (rules::Step& step : run.steps)
    step.signature = "8x168x864";  // actual rows, not the configured ten
  EXPECT_NEAR(model_alone(run).step_s, 0.05, 1e-12);
}

}  // namespace
}  // namespace myxtts::diagnose
