#include "train/run_report.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/temp_dir.h"

namespace myxtts::train {
namespace {

config::Config config_with(int log_step, int val_step = 1000) {
  config::Config config;
  config.training.log_step = log_step;
  config.training.val_step = val_step;
  config.training.enable_text2audio_eval = false;
  config.training.spectrogram_log_interval = 0;
  return config;
}

data::Batch batch_of(const std::string& id) {
  data::Batch batch;
  batch.micro_batches.resize(2);
  batch.micro_batches[0].signature = {1, 2, 3, 0};
  batch.micro_batches[0].ids = {id};
  batch.micro_batches[1].ids = {id + "b"};
  batch.counts.frames = 86;
  return batch;
}

// One start of a run with its report.
class Start {
 public:
  Start(const config::Config& config, const std::filesystem::path& run, const TrainState& state)
      : state_(state), report_(config, run) {
    report_.begin(state_);
  }

  void step(double loss, const std::string& not_finite = "") {
    ++state_.step;
    if (!not_finite.empty()) ++state_.skipped_steps;
    report_.step_finished(state_,
                          batch_of("id" + std::to_string(state_.step)),
                          {.loss = loss,
                           .parts = {{"mel", loss / 2}},
                           .grad_norm = 1.0,
                           .copy_s = 0.02,
                           .not_finite = not_finite},
                          {.learning_rate = 1e-3,
                           .step_s = 0.1,
                           .wait_s = 0.0,
                           .host_s = 0.1,
                           .buffer_depth = 2 * state_.step,
                           .data = {.busy_s = 0.25, .waiting_s = 0.5, .blocked_s = 1.0}});
  }

  void validate(double loss) {
    state_.validated_step = state_.step;
    report_.validation(state_, {.loss = loss, .parts = {{"mel", loss}}}, {.improved = true});
  }

  TrainState& state() { return state_; }
  RunReport& report() { return report_; }

 private:
  TrainState state_;
  RunReport report_;
};

TrainState state_at(std::int64_t step, std::int64_t validated_step = 0) {
  TrainState state;
  state.step = step;
  state.validated_step = validated_step;
  return state;
}

std::vector<nlohmann::json> metrics_in(const std::filesystem::path& run) {
  std::istringstream lines(support::contents(run / "metrics.jsonl"));
  std::vector<nlohmann::json> found;
  for (std::string line; std::getline(lines, line);)
    found.push_back(nlohmann::json::parse(line));
  return found;
}

std::string log_of(const std::filesystem::path& run) {
  return support::contents(run / "log.txt");
}

TEST(RunReport, WritesAMetricsLineForEveryStepAndValidation) {
  const support::TempDir run;
  {
    Start start(config_with(10), run.path(), {});
    start.step(4.0);
    start.step(3.0);
    start.validate(3.5);
  }

  const std::vector<nlohmann::json> lines = metrics_in(run.path());
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].at("loss"), 4.0);
  EXPECT_EQ(lines[1].at("step"), 2);
  EXPECT_EQ(lines[1].at("signature"), "1x2x3");
  EXPECT_EQ(lines[1].at("step_s"), 0.1);
  EXPECT_EQ(lines[1].at("copy_s"), 0.02);
  EXPECT_EQ(lines[1].at("host_s"), 0.1);
  EXPECT_EQ(lines[1].at("data_busy_s"), 0.25);
  EXPECT_EQ(lines[1].at("data_waiting_s"), 0.5);
  EXPECT_EQ(lines[1].at("data_blocked_s"), 1.0);
  EXPECT_EQ(lines[2].at("validation_loss"), 3.5);
}

TEST(RunReport, LogsJudgementsAndTheBestOne) {
  const support::TempDir run;
  {
    Start start(config_with(10), run.path(), {});
    for (const double errors : {0.5, 0.25, 0.75}) {
      start.step(1.0);
      TrainState& state = start.state();
      state.judged =
          JudgedStep{.step = state.step, .judgement = {.numbers = {{"word_error_rate", errors}}}};
      if (errors < 0.7) state.judged_best = state.judged;
      start.report().judged(state, /*num_unspoken=*/errors > 0.7 ? 2 : 0, 1.0);
    }
    start.report().not_judged(start.state(), "the judge failed");
  }

  const std::vector<nlohmann::json> lines = metrics_in(run.path());
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[3].dump(), R"({"judged":{"word_error_rate":0.25},"step":2})");
  const std::string log = log_of(run.path());
  EXPECT_NE(log.find("judged at step 2: WER 25.0 %, the best so far (1 s)"), std::string::npos)
      << log;
  EXPECT_NE(log.find("judged at step 3: WER 75.0 %; 2 sentences could not be synthesised (1 s)"),
            std::string::npos)
      << log;
  EXPECT_NE(log.find("not judged at step 3: the judge failed; training continues"),
            std::string::npos);
}

TEST(RunReport, LogsAJudgeWithoutAComparableNumber) {
  const support::TempDir run;
  {
    Start start(config_with(10), run.path(), {});
    start.step(1.0);
    start.state().judged = JudgedStep{.step = 1, .judgement = {.numbers = {{"mos", 3.0}}}};
    start.report().judged(start.state(), 0, 1.0);
  }

  EXPECT_NE(log_of(run.path()).find("neither word_error_rate nor score"), std::string::npos);
}

TEST(RunReport, LogsAndCountsSkippedStepsAndExcludesThemFromTheMean) {
  const support::TempDir run;
  {
    Start start(config_with(4), run.path(), {});
    start.step(4.0);
    start.step(std::nan(""), "loss");
    start.step(2.0);
    start.step(std::nan(""), "gradient");
  }

  const std::string log = log_of(run.path());
  EXPECT_NE(log.find("step 2 skipped: the loss is not finite"), std::string::npos) << log;
  EXPECT_NE(log.find("(utterances id2 id2b)"), std::string::npos) << log;
  EXPECT_NE(log.find("2 skipped so far"), std::string::npos) << log;
  EXPECT_NE(log.find("[train] 4 loss 3 "), std::string::npos) << "the mean of 4 and 2:\n" << log;
  const std::vector<nlohmann::json> lines = metrics_in(run.path());
  EXPECT_TRUE(lines[1].at("skipped").get<bool>());
  EXPECT_TRUE(lines[1].at("loss").is_null());
  EXPECT_FALSE(lines[2].contains("skipped"));
}

TEST(RunReport, IntervalOfSkippedStepsHasNoLoss) {
  const support::TempDir run;
  {
    Start start(config_with(1), run.path(), {});
    start.step(std::nan(""), "loss");
  }

  EXPECT_NE(log_of(run.path()).find("loss nan"), std::string::npos) << log_of(run.path());
}

TEST(RunReport, TruncatesTheMetricsOfAKilledStartToTheCheckpoint) {
  const support::TempDir run;
  {
    Start killed(config_with(1, 2), run.path(), {});
    for (int i = 0; i < 5; ++i)
      killed.step(1.0);
  }
  {
    Start next(config_with(1, 2), run.path(), state_at(3, 2));
    next.step(2.0);
  }

  std::vector<std::int64_t> steps;
  for (const nlohmann::json& line : metrics_in(run.path()))
    steps.push_back(line.at("step").get<std::int64_t>());
  EXPECT_EQ(steps, (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_NE(log_of(run.path()).find("resumed at step 3"), std::string::npos);
}

// An interrupt leaves a checkpoint of step 2 before its validation. The next start validates and is
// killed; the start after it validates again.
TEST(RunReport, RepeatedValidationIsWrittenOnce) {
  const support::TempDir run;
  {
    Start stopped(config_with(1, 2), run.path(), {});
    stopped.step(1.0);
    stopped.step(1.0);
  }
  for (int i = 0; i < 2; ++i) {
    Start next(config_with(1, 2), run.path(), state_at(2));
    next.validate(3.0);
  }

  const std::vector<nlohmann::json> lines = metrics_in(run.path());
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[2].contains("validation_loss"));
}

TEST(RunReport, RollsMetricsBackToTheCheckpoint) {
  const support::TempDir run;
  {
    Start start(config_with(1), run.path(), {});
    for (int i = 0; i < 4; ++i)
      start.step(1.0);
    start.state().step = 2;
    start.report().rolled_back(start.state(), 4);
    start.step(5.0);
  }

  const std::vector<nlohmann::json> lines = metrics_in(run.path());
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[2].at("step"), 3);
  EXPECT_EQ(lines[2].at("loss"), 5.0);
  EXPECT_NE(log_of(run.path()).find("rolled back from step 4 to the checkpoint of step 2"),
            std::string::npos);
}

TEST(RunReport, SummarisesThisStart) {
  const support::TempDir run;
  Start start(config_with(10), run.path(), state_at(5));
  start.step(4.0);
  start.step(3.0);
  Corpora corpora;
  corpora.training.skipped.resize(2);
  corpora.validation.utterances.resize(3);
  corpora.validation.utterances[0].text.resize(3);
  const data::ShapePlan plan = data::fixed_shape_plan({1, 2, 3, 0});

  const TrainSummary summary =
      start.report().summary(start.state(), plan, corpora, {.num_workers = 2, .busy_s = 3.0});

  EXPECT_EQ(summary.steps, 7);
  EXPECT_NEAR(summary.data_busy, summary.model_busy * 1.5 / 0.2, 1e-9);  // 3 s of two workers
  EXPECT_EQ(summary.signatures, 1);
  EXPECT_EQ(summary.skipped_utterances, 2);
  EXPECT_EQ(summary.left_out_utterances, 1);
  EXPECT_EQ(summary.final_loss, 3.0);
  EXPECT_FALSE(summary.validation_loss.has_value());
  EXPECT_NEAR(summary.step_s.mean, 0.1, 1e-9);
  EXPECT_NEAR(summary.time_split.copy, 0.1, 1e-9);
  EXPECT_NEAR(summary.time_split.compute, 0.4, 1e-9);
  EXPECT_NEAR(summary.time_split.host, 0.5, 1e-9);
  EXPECT_NEAR(summary.frames_per_s, 860.0, 1e-6);
  EXPECT_EQ(summary.data_lane, (LaneTimes{.busy_s = 0.5, .waiting_s = 1.0, .blocked_s = 2.0}));
  EXPECT_NEAR(summary.model_lane.busy_s, 0.2, 1e-9);
  EXPECT_NEAR(summary.model_lane.blocked_s, 0.2, 1e-9);
  EXPECT_EQ(summary.buffer_depth.min, 12);
  EXPECT_EQ(summary.buffer_depth.mean, 13.0);
}

TEST(RunReport, KeepsItsStepsForTheDiagnosis) {
  const support::TempDir run;
  TrainState before = state_at(5);
  before.retraces = 7;
  Start start(config_with(10), run.path(), before);
  start.step(4.0);
  start.state().retraces = 9;
  start.step(3.0);

  const std::deque<rules::Step>& steps = start.report().last_steps();

  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].step_s, 0.1);
  EXPECT_EQ(steps[0].wait_s, 0.0);
  EXPECT_EQ(steps[0].signature, "1x2x3");
  EXPECT_EQ(steps[0].retraces, 0);  // without those before the resume
  EXPECT_EQ(steps[1].retraces, 2);
}

TEST(RunReport, KeepsAtMost4096Steps) {
  const support::TempDir run;
  Start start(config_with(100000), run.path(), {});
  for (int i = 0; i < 4100; ++i)
    start.step(1.0);

  EXPECT_EQ(start.report().last_steps().size(), 4096U);
}

TEST(RunReport, LastLogLineIsTheLimitLine) {
  const support::TempDir run;
  Start start(config_with(10), run.path(), {});
  start.step(1.0);
  rules::Record record;
  record.steps.assign(start.report().last_steps().begin(), start.report().last_steps().end());

  const std::string expected =
      "limited by the host: reports, validations, samples and checkpoints took 50 % of the time";
  EXPECT_EQ(start.report().limit(record), expected);
  EXPECT_TRUE(log_of(run.path()).ends_with("[train] " + expected + "\n"));
}

TEST(RunReport, WritesToTheConfiguredFiles) {
  const support::TempDir run;
  config::Config config = config_with(1);
  config.training.metrics_file = (run.path() / "elsewhere.jsonl").string();
  config.training.tensorboard_log_dir = (run.path() / "board").string();
  { Start(config, run.path(), {}).step(1.0); }

  EXPECT_TRUE(std::filesystem::exists(run.path() / "elsewhere.jsonl"));
  EXPECT_FALSE(std::filesystem::exists(run.path() / "metrics.jsonl"));
  EXPECT_FALSE(std::filesystem::is_empty(run.path() / "board"));
}

}  // namespace
}  // namespace myxtts::train
