#include "diagnose/recommend.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "config/resolve.h"
#include "support/has.h"

namespace myxtts::diagnose {
namespace {

// A healthy corpus on a healthy machine: no change is recommended.
RecommendMeasured healthy_measured() {
  RecommendMeasured measured;
  for (std::int64_t i = 0; i < 400; ++i)
    measured.lengths.push_back({20 + i / 10, 200 + i});
  measured.record.settings = {.batch_size = 16, .num_workers = 2, .planned_epochs = 100.0};
  measured.record.machine = {.usable_cores = 4, .free_memory_bytes = 8'000'000'000};
  measured.record.corpus = {
      .mel_p50 = 400, .mel_p99 = 595, .mel_max = 599, .text_p99 = 59, .text_max = 59};
  measured.record.loading.stages = {{.name = "mel", .cpu_s = 1e-4}};
  measured.record.steps =
      std::vector<rules::Step>(6, {.step_s = 0.4, .wait_s = 0.001, .host_s = 0.01});
  measured.longest_pause_s = 0.2;
  measured.trials = {{.name = "current settings", .speed = 100.0, .step_s = 0.4},
                     {.name = "--batch-size 32",
                      .changes = {{"data.batch_size", "32"}},
                      .speed = 105.0,
                      .step_s = 0.8},
                     {.name = "--batch-size 8",
                      .changes = {{"data.batch_size", "8"}},
                      .speed = 90.0,
                      .step_s = 0.2}};
  return measured;
}

const Advice* find(const std::vector<Advice>& all, const std::string& key) {
  const auto found = std::ranges::find(all, key, &Advice::key);
  return found == all.end() ? nullptr : &*found;
}

std::string value_for(const RecommendMeasured& measured, const std::string& key) {
  const std::vector<Advice> all = advise(measured);
  const Advice* found = find(all, key);
  return found == nullptr ? "absent" : found->value;
}

TEST(Advise, KeepsSettingsThatAreNotClearlyWorse) {
  const std::vector<Advice> advice = advise(healthy_measured());

  EXPECT_TRUE(changes_of(advice).empty());
  for (const char* key : {"data.max_text_length",
                          "data.max_mel_frames",
                          "data.shape_buckets",
                          "data.batch_size",
                          "data.num_workers",
                          "data.pipeline_buffer_size",
                          "data.feature_cache",
                          "training.precision"}) {
    ASSERT_NE(find(advice, key), nullptr) << key;
    EXPECT_NE(find(advice, key)->reason, "") << key;
  }
}

TEST(Advise, ChangesTheBatchSizeForATenPercentGain) {
  RecommendMeasured measured = healthy_measured();
  measured.trials[1].speed = 109.0;
  EXPECT_EQ(value_for(measured, "data.batch_size"), "16");
  measured.trials[1].speed = 111.0;
  EXPECT_EQ(value_for(measured, "data.batch_size"), "32");
  measured.trials[2].speed = 130.0;
  EXPECT_EQ(value_for(measured, "data.batch_size"), "8") << "the fastest trial";
}

TEST(Advise, ReportsABatchThatDoesNotFit) {
  RecommendMeasured measured = healthy_measured();
  measured.trials[1].speed.reset();
  measured.trials[1].fault = "needs 40 GB";

  const std::vector<Advice> advice = advise(measured);

  EXPECT_EQ(find(advice, "data.batch_size")->value, "16");
  EXPECT_TRUE(support::has(find(advice, "data.batch_size")->reason, "needs 40 GB"));
}

TEST(Advise, RecommendsAMelLimitIfFewUtterancesAreVeryLong) {
  RecommendMeasured measured = healthy_measured();
  measured.lengths.push_back({59, 2000});
  measured.record.corpus.mel_max = 892;
  EXPECT_EQ(value_for(measured, "data.max_mel_frames"), "auto") << "1.5 times p99 is normal";
  measured.record.corpus.mel_max = 2000;
  EXPECT_EQ(value_for(measured, "data.max_mel_frames"), "608");
}

TEST(Advise, RecommendsATextLimit) {
  RecommendMeasured measured = healthy_measured();
  measured.record.corpus.text_max = 88;
  EXPECT_EQ(value_for(measured, "data.max_text_length"), "auto") << "1.5 times p99 is normal";
  measured.record.corpus.text_max = 300;
  EXPECT_EQ(value_for(measured, "data.max_text_length"), "64");
  EXPECT_EQ(flags_of(changes_of(advise(measured))), "--max-text-length 64");

  measured.record.corpus.text_max = 59;
  measured.config.data.max_text_length = 200;
  EXPECT_EQ(value_for(measured, "data.max_text_length"), "64") << "no utterance is that long";
  measured.config.data.max_text_length = 50;
  EXPECT_EQ(value_for(measured, "data.max_text_length"), "64") << "a fifth is filtered";
}

TEST(Advise, ChangesAnUnsuitableLimit) {
  RecommendMeasured measured = healthy_measured();
  measured.config.data.max_mel_frames = 600;
  EXPECT_EQ(value_for(measured, "data.max_mel_frames"), "600");
  measured.config.data.max_mel_frames = 2000;
  EXPECT_EQ(value_for(measured, "data.max_mel_frames"), "608") << "no utterance is that long";
  measured.config.data.max_mel_frames = 500;
  EXPECT_EQ(value_for(measured, "data.max_mel_frames"), "608") << "a quarter is filtered";
}

TEST(Advise, ReplacesDynamicShapesByAShapePlan) {
  RecommendMeasured measured = healthy_measured();
  measured.config.data.pad_to_fixed_length = false;

  const std::vector<Advice> advice = advise(measured);

  EXPECT_EQ(find(advice, "data.shape_buckets")->now, "dynamic");
  EXPECT_EQ(flags_of(changes_of(advice)), "--shape-buckets auto");
}

TEST(Advise, RecommendsBucketsIfAFixedShapeIsMostlyPadding) {
  RecommendMeasured measured = healthy_measured();
  measured.config.data.pad_to_fixed_length = true;
  measured.config.data.max_text_length = 64;
  measured.config.data.max_mel_frames = 608;

  EXPECT_EQ(value_for(measured, "data.shape_buckets"), "auto");
  EXPECT_FALSE(changes_of(advise(measured)).empty());
}

TEST(Advise, RecommendsWorkersIfTheModelWaits) {
  RecommendMeasured measured = healthy_measured();
  measured.record.settings.num_workers = 1;
  measured.config.data.num_workers = 1;
  measured.record.loading.stages = {{.name = "mel", .cpu_s = 0.07}};  // 1.12 s per batch
  EXPECT_EQ(value_for(measured, "data.num_workers"), "1") << "the model does not wait";
  for (rules::Step& step : measured.record.steps)
    step.wait_s = 0.3;
  EXPECT_EQ(value_for(measured, "data.num_workers"), "3");
  measured.record.machine.usable_cores = 2;
  EXPECT_EQ(value_for(measured, "data.num_workers"), "2") << "at most the number of cores";
}

TEST(Advise, RecommendsALargerBufferForLongPauses) {
  RecommendMeasured measured = healthy_measured();
  measured.config.data.pipeline_buffer_size = 4;
  EXPECT_EQ(value_for(measured, "data.pipeline_buffer_size"), "4");
  measured.longest_pause_s = 2.5;  // seven steps
  EXPECT_EQ(value_for(measured, "data.pipeline_buffer_size"), "auto");
  measured.longest_pause_s = 0.0;
  measured.config.data.pipeline_buffer_size = 3;
  EXPECT_EQ(value_for(measured, "data.pipeline_buffer_size"), "auto")
      << "below the smallest useful buffer";
}

TEST(Advise, RecommendsACacheIfMelsAreComputedAgain) {
  RecommendMeasured measured = healthy_measured();
  measured.config.data.feature_cache = "off";
  EXPECT_EQ(value_for(measured, "data.feature_cache"), "auto");
  measured.record.settings.planned_epochs = 1.0;
  EXPECT_EQ(value_for(measured, "data.feature_cache"), "off") << "each mel is used once";
  measured.config.data.feature_cache = "ram";
  EXPECT_EQ(value_for(measured, "data.feature_cache"), "ram");
  measured.record.machine.free_memory_bytes = 100'000'000;
  EXPECT_EQ(value_for(measured, "data.feature_cache"), "auto") << "51 MB are more than a quarter";
  measured.record.machine.free_memory_bytes = 400'000'000;
  EXPECT_EQ(value_for(measured, "data.feature_cache"), "ram");
  measured.num_utterances = 1000;  // the sample has 400
  EXPECT_EQ(value_for(measured, "data.feature_cache"), "auto");
}

TEST(Advise, ChoosesPrecisionAndDevicesByTrials) {
  RecommendMeasured measured = healthy_measured();
  measured.trials.push_back(
      {.name = "--precision bf16", .changes = {{"training.precision", "bf16"}}, .speed = 104.0});
  measured.trials.push_back(
      {.name = "--data-device cpu:0 --model-device cpu:1",
       .changes = {{"data.data_device", "cpu:0"}, {"data.model_device", "cpu:1"}},
       .speed = 60.0});
  EXPECT_TRUE(changes_of(advise(measured)).empty());
  measured.trials[3].speed = 170.0;
  measured.trials[4].speed = 120.0;

  EXPECT_EQ(flags_of(changes_of(advise(measured))),
            "--precision bf16 --data-device cpu:0 --model-device cpu:1");
}

TEST(Trials, DependOnTheMachine) {
  config::Config config;
  config.data.batch_size = 16;
  const auto names = [&](const rules::Machine& machine) {
    std::string all;
    for (const Trial& trial : initial_trials(config, machine))
      all += trial.name + "; ";
    return all;
  };

  EXPECT_EQ(names({.usable_cores = 1}), "current settings; --batch-size 32; --batch-size 8; ");
  EXPECT_EQ(names({.usable_cores = 2, .cpu_features = {"avx512_bf16"}}),
            "current settings; --batch-size 32; --batch-size 8; --precision fp32; "
            "--data-device cpu:0 --model-device cpu:1; ");
  EXPECT_TRUE(support::has(names({.cpu_features = {"neon", "bf16"}}), "--precision fp32"));
  config.training.gradient_accumulation_steps = 16;
  EXPECT_EQ(names({.usable_cores = 1}), "current settings; --batch-size 32; ");
}

TEST(Trials, ContinueWhileALargerBatchIsMuchFaster) {
  config::Config config;
  config.data.batch_size = 16;
  std::vector<Trial> known = healthy_measured().trials;
  EXPECT_FALSE(next_trial(config, known));
  known[1].speed = 120.0;
  ASSERT_TRUE(next_trial(config, known));
  EXPECT_EQ(next_trial(config, known)->name, "--batch-size 64");
  known.push_back(*next_trial(config, known));
  known.back().speed = 121.0;
  EXPECT_FALSE(next_trial(config, known));
  known.back().speed.reset();
  known.back().fault = "does not fit";
  EXPECT_FALSE(next_trial(config, known));
}

TEST(SpeedOf, IncludesWaits) {
  train::TrainSummary summary;
  summary.audio_s_per_s = 100.0;  // during steps
  summary.time_split = {.wait = 0.4, .copy = 0.1, .compute = 0.4, .host = 0.1};

  EXPECT_DOUBLE_EQ(speed_of(summary), 50.0);
}

TEST(ApplyCheck, GainMustHoldInEveryRound) {
  const ApplyCheck gain{.before = {100, 90, 110}, .after = {120, 118, 121}};
  EXPECT_TRUE(gain.is_gain());
  EXPECT_DOUBLE_EQ(gain.ratio(), 1.2);
  EXPECT_DOUBLE_EQ(gain.least(), 1.1);
  EXPECT_TRUE(support::has(gain.conclusion(), "gain: 1.20 x (1.10 to 1.31 in 3 rounds)"));

  EXPECT_FALSE((ApplyCheck{.before = {100, 100, 130}, .after = {120, 120, 120}}).is_gain());
  EXPECT_FALSE((ApplyCheck{.before = {100, 100, 100}, .after = {102, 102, 102}}).is_gain());
  EXPECT_TRUE(ApplyCheck{}.conclusion().starts_with("no gain"));
}

TEST(ApplyCheck, FailedRunIsNoGain) {
  const ApplyCheck check{.before = {100, 100}, .after = {150, 150}, .fault = "needs 40 GB"};

  EXPECT_FALSE(check.is_gain());
  EXPECT_EQ(check.conclusion(), "no gain: a training run failed: needs 40 GB");
}

TEST(LongestPause, ExcludesTheTimeToTheFirstBatch) {
  EXPECT_EQ(longest_pause({9.0, 0.1, 0.3, 0.2}), 0.3);
  EXPECT_EQ(longest_pause({9.0}), 0.0);
  EXPECT_EQ(longest_pause({}), 0.0);
}

TEST(RecommendOutput, HasTextAndJson) {
  Recommendation result{.corpus = "a corpus", .measured = healthy_measured()};
  result.measured.trials[1].speed = 150.0;
  result.advice = advise(result.measured);
  result.check = ApplyCheck{.before = {100}, .after = {150}};

  const std::string text = to_text(result);
  const nlohmann::ordered_json json = to_json(result);

  EXPECT_TRUE(support::has(text, "16 -> 32"));
  EXPECT_TRUE(support::has(text, "Recommended flags: --batch-size 32"));
  EXPECT_TRUE(support::has(text, "result gain: 1.50 x"));
  EXPECT_EQ(json["flags"], "--batch-size 32");
  EXPECT_EQ(json["check"]["gain"], true);
  EXPECT_EQ(json["trials"].size(), 3U);
  EXPECT_EQ(json["recommendations"].size(), result.advice.size());
}

}  // namespace
}  // namespace myxtts::diagnose
