#include "train/run_record.h"

#include <memory>

#include <gtest/gtest.h>

#include "base/threads.h"
#include "data/collator.h"
#include "support/temp_dir.h"
#include "train/format_run.h"

namespace myxtts::train {
namespace {

data::Features utterance_of(std::size_t symbols, std::int64_t frames) {
  data::Features features;
  features.text.resize(symbols);
  features.num_frames = frames;
  return features;
}

struct MeasuredRun {
  config::Config config;
  data::LanePlan lanes{.data = {.cores = {2}},
                       .model = {.cores = {0, 1}},
                       .num_workers = 1,
                       .model_threads = 2,
                       .buffer_batches = 50};
  data::ShapePlan plan = data::fixed_shape_plan({8, 40, 320, 0});
  Corpora corpora;
  MemoryNeed memory{.resident_bytes = 1e6, .signatures = {}};
  std::optional<bool> bf16_works = {};

  rules::Record record(const data::PrefetchReport& data = {}) const {
    return run_record({.config = config,
                       .lanes = lanes,
                       .plan = plan,
                       .corpora = corpora,
                       .memory = memory,
                       .data = data,
                       .steps = {{.step_s = 0.5, .signature = "8x40x320"}, {.step_s = 0.25}},
                       .num_parameters = 7,
                       .load_by_others = 0.5,
                       .bf16_works = bf16_works});
  }
};

TEST(RunRecord, HasTheMultiplyAddsOfItsSteps) {
  MeasuredRun run;
  run.config.training.gradient_accumulation_steps = 2;

  const rules::Model model = run.record().model;

  EXPECT_DOUBLE_EQ(
      model.multiply_adds.value(),
      2.0 * multiply_adds_of(
                run.config.model, {8, 40, 320, 0}, data::reference_frames_of(run.config)));
}

TEST(RunRecord, RecordsWhetherBf16Works) {
  MeasuredRun run;
  EXPECT_EQ(run.record().machine.bf16_works, std::nullopt);
  run.bf16_works = false;
  EXPECT_EQ(run.record().machine.bf16_works, false);
}

TEST(RunRecord, HasTheResolvedSettings) {
  MeasuredRun run;
  run.config.data.batch_size = 16;
  run.config.training.gradient_accumulation_steps = 2;
  run.config.training.precision = "fp32";
  run.config.data.feature_cache = "off";

  const rules::Settings settings = run.record().settings;

  EXPECT_EQ(settings.shape_mode, "fixed");
  ASSERT_EQ(settings.signatures.size(), 1U);
  EXPECT_EQ(settings.signatures[0],
            (rules::Shape{.batch = 8, .text = 40, .mel = 320, .share = 0.5}));
  EXPECT_EQ(settings.batch_size, 16);
  EXPECT_EQ(settings.grad_accum, 2);
  EXPECT_EQ(settings.num_workers, 1);
  EXPECT_EQ(settings.buffer, 50);
  EXPECT_EQ(settings.cache, "off");
  EXPECT_EQ(settings.precision, "fp32");
  EXPECT_EQ(settings.threads, 2);
  EXPECT_EQ(settings.device, "cpu");
  EXPECT_EQ(settings.mode, "single_buffered");
  EXPECT_EQ(settings.model_cores, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(settings.data_cores, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(settings.loader_is_idle_priority, false);
}

TEST(RunRecord, HasThePlannedLengthUnlessMinutesLimitTheRun) {
  MeasuredRun run;
  run.config.data.batch_size = 8;
  run.corpora.training.utterances.resize(40);
  EXPECT_EQ(run.record().settings.planned_epochs, 100.0);
  EXPECT_EQ(run.record().settings.planned_steps, 500);
  run.config.training.max_minutes = 3.0;
  EXPECT_EQ(run.record().settings.planned_epochs, std::nullopt);
  EXPECT_EQ(run.record().settings.planned_steps, std::nullopt);
  run.config.training.max_steps = 20;
  EXPECT_EQ(run.record().settings.planned_epochs, 4.0);
  EXPECT_EQ(run.record().settings.planned_steps, 20);
}

TEST(RunRecord, HasCorpusLengthsAndBadUtterances) {
  MeasuredRun run;
  for (std::size_t i = 1; i <= 99; ++i)
    run.corpora.training.utterances.push_back(utterance_of(i, static_cast<std::int64_t>(10 * i)));
  run.corpora.training.skipped.resize(1);
  run.corpora.training.skipped[0].reason = "too_long";

  const rules::CorpusStats corpus = run.record().corpus;

  EXPECT_EQ(corpus.utterances, 100);
  EXPECT_EQ(corpus.mel_p50, 500);
  EXPECT_EQ(corpus.mel_max, 990);
  EXPECT_EQ(corpus.text_max, 99);
  EXPECT_EQ(corpus.bad_share, 0.01);
  EXPECT_EQ(corpus.bad_reason, "too_long");
  EXPECT_NEAR(*corpus.hours, 49500.0 * 256.0 / 22050.0 / 3600.0, 1e-9);
}

TEST(RunRecord, HasTheCpuTimePerLoadedBatch) {
  const MeasuredRun run;

  EXPECT_EQ(run.record().loading.batch_cpu_s, std::nullopt);
  EXPECT_EQ(run.record({.num_batches = 10, .busy_s = 4.0}).loading.batch_cpu_s, 0.4);
}

TEST(RunRecord, HasMachineAndSteps) {
  const rules::Record record = MeasuredRun().record();

  EXPECT_EQ(record.machine.usable_cores, base::num_usable_cores());
  EXPECT_GE(record.machine.cores, record.machine.usable_cores);
  EXPECT_GT(record.machine.free_memory_bytes, 0);
  EXPECT_EQ(record.machine.load_by_others, 0.5);
  EXPECT_GE(record.machine.total_memory_bytes, record.machine.free_memory_bytes);
  EXPECT_GT(record.memory.resident_bytes, 0);
  EXPECT_EQ(record.memory.need_bytes, 1'000'000);
  EXPECT_EQ(record.model.parameters, 7);
  ASSERT_EQ(record.steps.size(), 2U);
  EXPECT_EQ(record.steps[1].step_s, 0.25);
}

TEST(RunRecord, HasABudgetOnlyIfConfigured) {
  MeasuredRun run;
  EXPECT_FALSE(run.record().memory.budget_bytes);
  run.config.training.memory_budget = "800MB";
  EXPECT_EQ(run.record().memory.budget_bytes, 800'000'000);
}

TEST(RunRecord, HasTheCacheCounts) {
  const support::TempDir dir;
  MeasuredRun run;
  EXPECT_FALSE(run.record().cache.hits);
  run.corpora.cache = std::make_shared<const data::FeatureCache>(data::CacheSettings{
      .folder = dir.path(), .mel_key = "c", .limit_bytes = 4096, .on_notice = {}});

  const rules::Cache cache = run.record().cache;

  EXPECT_EQ(cache.hits, 0);
  EXPECT_EQ(cache.limit_bytes, 4096);
  EXPECT_EQ(cache.stopped, false);
}

TEST(RunRecord, CountsPhonemiserRestartsIfPhonemesAreUsed) {
  MeasuredRun run;
  run.config.data.use_phonemes = true;
  EXPECT_TRUE(run.record().loading.text_restarts);
  run.config.data.use_phonemes = false;
  EXPECT_FALSE(run.record().loading.text_restarts);
}

}  // namespace
}  // namespace myxtts::train
