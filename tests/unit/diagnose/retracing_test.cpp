#include "diagnose/retracing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unit/data/random_corpus.h"

namespace myxtts::diagnose {
namespace {

train::Corpora random_corpora() {
  base::Random random(3);
  std::vector<data::Lengths> lengths;
  for (int i = 0; i < 200; ++i) {
    const std::int64_t mel = data::between(random, 40, 120);
    lengths.push_back({.text = mel / 4, .mel = mel});
  }
  return {.training = data::synthetic_features(lengths, 2),
          .validation = {},
          .notes = {},
          .mel_extractor = {}};
}

config::Config default_config() {
  config::Config config;
  config.data.batch_size = 8;
  return config;
}

// Steps of 0.5 s plus 2 s per retrace, with the given numbers of retraces.
std::vector<MeasuredStep> steps_with(const std::vector<std::int64_t>& retraces) {
  std::vector<MeasuredStep> steps;
  for (const std::int64_t count : retraces) {
    steps.push_back({.measured = {.step_s = 0.5 + 2.0 * static_cast<double>(count),
                                  .epoch = 0,
                                  .signature = "8x32x128",
                                  .retraces = count},
                     .loss = 1.0});
  }
  return steps;
}

TEST(Retracing, ShapePlanWithoutRetracesIsHealthy) {
  RetracingReport report = check_shapes(default_config(), random_corpora(), 4);
  add_steps(report, steps_with({0, 0, 0, 0}));

  EXPECT_TRUE(report.findings.empty()) << to_text(report);
  EXPECT_FALSE(report.is_refused);
  EXPECT_EQ(report.num_retraces(), 0);
  EXPECT_EQ(report.mean_step_s(), 0.5);
  EXPECT_EQ(report.std_step_s(), 0.0);
  EXPECT_EQ(to_json(report)["healthy"], true);
  EXPECT_NE(to_text(report).find("healthy: no retracing detected"), std::string::npos);
  EXPECT_NE(to_text(report).find("batch_size           8                                ok\n"),
            std::string::npos)
      << to_text(report);
  EXPECT_NE(to_text(report).find(", 2)\n"), std::string::npos)
      << "mels have channels as third dimension";
  EXPECT_TRUE(to_json(report)["problems"].empty());
}

TEST(Retracing, FindsDynamicShapesBeforeAnyStep) {
  config::Config config = default_config();
  config.data.pad_to_fixed_length = false;

  const RetracingReport report = check_shapes(config, random_corpora(), 4);

  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings.front().id, "dynamic_shapes");
  EXPECT_EQ(report.findings.front().suggestion, "--shape-buckets auto");
  EXPECT_TRUE(to_json(report)["problems"].contains("pad_to_fixed_length"));
  EXPECT_GT(report.shapes.sampled.size(), 8U);
}

TEST(Retracing, FindsRetracesWithAShapePlan) {
  RetracingReport report = check_shapes(default_config(), random_corpora(), 4);
  add_steps(report, steps_with({0, 1, 0, 1}));

  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings.front().id, "retraces");
  EXPECT_EQ(report.findings.front().suggestion, "--enable-static-shapes");
  EXPECT_EQ(report.num_retraces(), 2);
  EXPECT_EQ(report.mean_step_s(), 1.5);
  EXPECT_EQ(report.std_step_s(), 1.0);
  const nlohmann::ordered_json json = to_json(report);
  EXPECT_EQ(json["healthy"], false);
  EXPECT_EQ(json["summary"]["retraces"], 2);
  EXPECT_EQ(json["record"]["steps"].size(), 4U);
}

TEST(Retracing, LimitsThatFilterMostAreRefusedWithASuggestion) {
  config::Config config = default_config();
  config.data.max_mel_frames = 50;

  const RetracingReport report = check_shapes(config, random_corpora(), 4);

  EXPECT_TRUE(report.is_refused);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "filtered_by_length");
  EXPECT_EQ(report.findings[0].severity, rules::Severity::kCritical);
  EXPECT_EQ(report.findings[0].suggestion, "--max-mel-frames 128");
  EXPECT_NE(to_text(report).find("training refuses"), std::string::npos);
  const nlohmann::ordered_json problems = to_json(report)["problems"];
  EXPECT_EQ(problems.size(), 1U) << problems.dump();
  EXPECT_EQ(problems["max_mel_frames"], report.findings[0].message);
  EXPECT_NE(to_text(report).find("max_mel_frames       50                               PROBLEM: "),
            std::string::npos)
      << to_text(report);
}

TEST(Retracing, LimitsThatFilterSomeAreAWarning) {
  config::Config config = default_config();
  config.data.max_mel_frames = 105;

  const RetracingReport report = check_shapes(config, random_corpora(), 4);

  EXPECT_FALSE(report.is_refused);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "filtered_by_length");
  EXPECT_EQ(report.findings[0].severity, rules::Severity::kWarning);
}

TEST(Retracing, FindsAFixedShapeFarAboveTheCorpus) {
  config::Config config = default_config();
  config.data.pad_to_fixed_length = true;
  config.data.max_mel_frames = 800;

  const RetracingReport report = check_shapes(config, random_corpora(), 4);

  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "oversized_signature");
}

}  // namespace
}  // namespace myxtts::diagnose
