#include "data/run_plan.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "base/error.h"
#include "data/epoch_order.h"
#include "data/length_filter.h"
#include "support/scale.h"
#include "unit/data/random_corpus.h"

namespace myxtts::data {
namespace {

ShapeSettings with_mode(ShapeMode mode) {
  ShapeSettings settings;
  settings.mode = mode;
  return settings;
}

std::vector<Lengths> speech(std::size_t count, std::uint64_t seed = 1) {
  base::Random random(seed);
  return speech_lengths(random, count);
}

bool has_note(const ShapePlan& plan, const std::string& text) {
  return std::ranges::any_of(
      plan.notes, [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

TEST(ShapeSettingsOf, ReadsTheThreeModes) {
  config::Config config;
  EXPECT_EQ(shape_settings_of(config).mode, ShapeMode::kBuckets);
  EXPECT_EQ(shape_settings_of(config).plan.max_signatures, std::nullopt);

  config.data.shape_buckets = 3;
  config.data.batch_size = 12;
  config.training.gradient_accumulation_steps = 4;
  EXPECT_EQ(shape_settings_of(config).plan.max_signatures, 3);
  EXPECT_EQ(shape_settings_of(config).plan.batch_size, 12);
  EXPECT_EQ(shape_settings_of(config).plan.grad_accum, 4);

  config.data.pad_to_fixed_length = true;
  config.data.max_mel_frames = 700;
  EXPECT_EQ(shape_settings_of(config).mode, ShapeMode::kFixed);
  EXPECT_EQ(shape_settings_of(config).max_mel_frames, 700);
  EXPECT_EQ(shape_settings_of(config).max_text_length, std::nullopt);

  config.data.pad_to_fixed_length = false;
  EXPECT_EQ(shape_settings_of(config).mode, ShapeMode::kDynamic);
}

TEST(LimitsOf, OnlyAFixedShapeHasDefaults) {
  std::vector<Lengths> lengths(99, {.text = 300, .mel = 500});
  lengths.push_back({.text = 300, .mel = 900});

  ShapeSettings settings = with_mode(ShapeMode::kFixed);
  EXPECT_EQ(limits_of(settings, lengths), (Lengths{200, 512})) << "p99, rounded up to 32";
  settings.max_text_length = 150;
  settings.max_mel_frames = 600;
  EXPECT_EQ(limits_of(settings, lengths), (Lengths{150, 600}));

  for (const ShapeMode mode : {ShapeMode::kBuckets, ShapeMode::kDynamic}) {
    settings = with_mode(mode);
    EXPECT_EQ(limits_of(settings, lengths), (Lengths{kNoLimit, kNoLimit}));
    settings.max_mel_frames = 600;
    EXPECT_EQ(limits_of(settings, lengths), (Lengths{kNoLimit, 600}));
  }
}

TEST(PlanRun, FixedShapeIsExactlyTheGivenOne) {
  ShapeSettings settings = with_mode(ShapeMode::kFixed);
  settings.plan = {.batch_size = 12, .grad_accum = 3, .max_signatures = {}};
  settings.max_text_length = 150;
  settings.max_mel_frames = 801;
  const std::vector<Lengths> validation = {{.text = 10, .mel = 5000}};

  const ShapePlan plan = plan_run(settings, speech(500), validation);

  EXPECT_EQ(plan.mode, ShapeMode::kFixed);
  ASSERT_EQ(plan.signatures.size(), 1U);
  EXPECT_EQ(plan.signatures[0], (Signature{.batch = 4, .text = 150, .mel = 801}));
  EXPECT_EQ(plan.find_signature(validation[0]), std::nullopt);
}

// No utterance is filtered by default: without given limits buckets and dynamic shapes fit all.
TEST(PlanRun, WithoutLimitsEveryUtteranceFitsAlsoInValidation) {
  for (int s = 0; s < 100 * support::test_scale(); ++s) {
    base::Random random(static_cast<std::uint64_t>(s));
    const std::vector<Lengths> training = any_lengths(random, 4 + random.below(300));
    const std::vector<Lengths> validation = any_lengths(random, random.below(40));
    for (const ShapeMode mode : {ShapeMode::kBuckets, ShapeMode::kDynamic}) {
      const ShapePlan plan = plan_run(with_mode(mode), training, validation);

      for (const auto* lengths : {&training, &validation}) {
        for (const Lengths& one : *lengths)
          ASSERT_TRUE(plan.find_signature(one).has_value()) << s;
      }
      ASSERT_FALSE(sample_epoch(1, 0, plan, 1, training).empty());
    }
  }
}

TEST(PlanRun, GivenLimitsFilterUtterancesThatWouldFit) {
  ShapeSettings settings = with_mode(ShapeMode::kBuckets);
  settings.max_mel_frames = 701;
  const std::vector<Lengths> training = speech(1000);

  const ShapePlan plan = plan_run(settings, training, std::vector<Lengths>{{1, 690}, {1, 5000}});

  EXPECT_EQ(plan.signatures.back().mel, 704);
  EXPECT_EQ(plan.find_signature({10, 701}), plan.signatures.size() - 1);
  EXPECT_EQ(plan.find_signature({10, 702}), std::nullopt);
  EXPECT_TRUE(has_note(plan, "warning: ")) << "some 18 % are longer";
  EXPECT_TRUE(has_note(plan, "--max-mel-frames "));
}

TEST(PlanRun, LongestBucketFitsTheLongestValidationUtterance) {
  const std::vector<Lengths> training = speech(1000);

  const ShapePlan alone = plan_run(with_mode(ShapeMode::kBuckets), training, {});
  const ShapePlan plan =
      plan_run(with_mode(ShapeMode::kBuckets), training, std::vector<Lengths>{{601, 1501}});

  EXPECT_LT(alone.signatures.back().mel, 1500);
  EXPECT_EQ(plan.signatures.back().mel, 1504);
  EXPECT_EQ(plan.signatures.back().text, 608);
}

TEST(PlanRun, DynamicShapesReportTheirCost) {
  const ShapePlan plan = plan_run(with_mode(ShapeMode::kDynamic), speech(1000), {});

  EXPECT_TRUE(plan.is_dynamic());
  EXPECT_EQ(plan.signatures.size(), 1U);
  EXPECT_EQ(plan.signatures[0].batch, 16);
  EXPECT_TRUE(has_note(plan, "warning: dynamic shapes"));
  EXPECT_TRUE(has_note(plan, "retrace"));
}

TEST(PlanRun, TooFewUtterancesGetSmallerBatchesWithANote) {
  const std::vector<Lengths> training(20, {.text = 10, .mel = 100});
  for (const ShapeMode mode : {ShapeMode::kFixed, ShapeMode::kBuckets, ShapeMode::kDynamic}) {
    const ShapePlan plan = plan_run(with_mode(mode), training, {});

    EXPECT_EQ(plan.signatures.at(0).batch, 5) << name_of(mode);
    EXPECT_TRUE(
        has_note(plan, "20 utterances fill fewer than 4 batches of 16; the batch size is 5"));
  }
}

TEST(PlanRun, RejectsLimitsThatFilterMoreThanHalf) {
  const std::vector<Lengths> training = speech(400);
  for (const ShapeMode mode : {ShapeMode::kFixed, ShapeMode::kBuckets, ShapeMode::kDynamic}) {
    ShapeSettings settings = with_mode(mode);
    settings.max_mel_frames = 200;
    EXPECT_THROW(plan_run(settings, training, {}), UsageError) << name_of(mode);
    settings.max_text_length = 1;
    EXPECT_THROW(plan_run(settings, training, {}), UsageError) << name_of(mode);
  }
}

}  // namespace
}  // namespace myxtts::data
