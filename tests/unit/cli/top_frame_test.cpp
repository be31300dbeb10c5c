#include "cli/top_frame.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "support/has.h"

namespace myxtts::cli {
namespace {

TopView view_of(std::size_t count) {
  TopView view{
      .run = "runs/voice", .status = RunStatus::kRunning, .pid = 4711, .total_steps = 20000};
  view.record.settings.batch_size = 16;
  for (std::size_t i = 1; i <= count; ++i) {
    train::TailedStep step{.step = static_cast<std::int64_t>(i),
                           .loss = 2.0 / static_cast<double>(i),
                           .parts = {{"mel", 0.5}, {"prior", 0.25}},
                           .grad_norm = 0.7,
                           .lr = 1e-3};
    step.times = {.step_s = 0.42,
                  .wait_s = 0.04,
                  .host_s = 0.04,
                  .buffer_depth = 48,
                  .epoch = 3,
                  .signature = "16x120x640"};
    view.steps.push_back(step);
    view.record.steps.push_back(step.times);
  }
  return view;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line + "\n";
  return text;
}

FrameStyle style_of(int columns, int rows = 0) {
  return {.size = {.columns = columns, .rows = rows}, .unicode = true, .is_live = false};
}

TEST(TopFrame, ShowsTheStateOfARun) {
  const std::string text = joined(top_frame(view_of(100), style_of(100)));

  for (const char* part : {"myxtts top  runs/voice",
                           "running (pid 4711)",
                           "step 100 of 20000 (0.5 %)",
                           "epoch 3",
                           "2 steps/s",
                           "32 utterances/s",
                           "eta 2h46",
                           "limited by the model: it was busy 84 % of the time",
                           "loss        0.0200",
                           "  mel       0.5000",
                           "0.0200 to 2.0000",
                           "lanes       model: busy 84 %   data: ahead, 48 ready",
                           "  compute   84 %",
                           "  wait      8.0 %",
                           "  host      8.0 %",
                           "buffer      48",
                           "0 in the last 100 steps, 0 in all",
                           "signature 16x120x640"})
    EXPECT_TRUE(support::has(text, part)) << part << "\n" << text;
}

TEST(TopFrame, UtterancesPerSecondFollowTheSignatures) {
  TopView view = view_of(100);
  view.record.settings.grad_accum = 2;
  for (rules::Step& step : view.record.steps)
    step.signature = "7x168x864";  // a small corpus has fewer rows than batch_size

  EXPECT_TRUE(support::has(joined(top_frame(view, style_of(100))), "28 utterances/s"));
}

TEST(TopFrame, TheDataLaneIsBehindIfNoBatchIsReady) {
  TopView view = view_of(100);
  for (rules::Step& step : view.record.steps) {
    step.buffer_depth = 0;
    step.wait_s = 0.14;
  }
  view.steps.back().times.buffer_depth = 0;

  const std::string text = joined(top_frame(view, style_of(100)));

  EXPECT_TRUE(support::has(text, "data: behind, 0 ready")) << text;
  EXPECT_TRUE(support::has(text, "limited by loading: the model waited 23 % of the time")) << text;
}

TEST(TopFrame, IsNeverWiderThanTheScreen) {
  TopView view = view_of(500);
  view.run = std::string(300, 'r');
  view.steps.back().times.signature = std::string(300, 's');
  view.steps.back().parts[0].first = std::string(300, 'p');
  for (int columns = 40; columns <= 200; ++columns) {
    for (const std::string& line : top_frame(view, style_of(columns)))
      ASSERT_LE(base::display_width(line), static_cast<std::size_t>(columns)) << line;
  }
}

TEST(TopFrame, DropsTheLeastImportantLinesOnASmallScreen) {
  const TopView view = view_of(100);
  for (int rows = 4; rows <= 30; ++rows)
    ASSERT_LE(std::ssize(top_frame(view, style_of(80, rows))), rows);

  const std::string text = joined(top_frame(view, style_of(80, 6)));
  EXPECT_TRUE(support::has(text, "step 100 of 20000"));
  EXPECT_TRUE(support::has(text, "limited by the model"));
  EXPECT_TRUE(support::has(text, "loss "));
  EXPECT_FALSE(support::has(text, "last step"));
}

TEST(TopFrame, ControlCharactersFromFilesAreEscaped) {
  TopView view = view_of(3);
  view.run = "runs/\x1b[2J\xff";
  view.steps.back().times.signature = "\x1b]0;x\x07";
  view.steps.back().parts[0].first = "\x1b[31m";

  const std::string text = joined(top_frame(view, style_of(100)));

  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
}

TEST(TopFrame, ShowsWhatTheRulesFind) {
  TopView view = view_of(60);
  for (std::size_t i = 5; i < 60; i += 6)
    view.record.steps[i].step_s = 5.0;
  view.record.settings.pad_to_fixed_length = false;

  const std::string text = joined(top_frame(view, style_of(200)));

  EXPECT_TRUE(support::has(text, "CRITICAL: shapes are dynamic"));
  EXPECT_TRUE(support::has(text, "cyclic pattern, every 6 batches"));
}

TEST(TopFrame, ARunThatIsPreparingHasNoStep) {
  EXPECT_TRUE(support::has(joined(top_frame(view_of(0), style_of(80))), "no step yet"));
  const std::string narrow = joined(top_frame(view_of(0), style_of(50)));
  EXPECT_TRUE(support::has(narrow, "no step yet")) << narrow;
  EXPECT_TRUE(support::has(narrow, " steps\n")) << narrow;
}

TEST(TopFrame, LinesAreWrappedInANarrowTerminal) {
  EXPECT_TRUE(support::has(joined(top_frame(view_of(30), style_of(50))), "signature 16x120x640\n"));
}

TEST(TopFrame, OnlyARunningViewHasTheCloseHint) {
  TopView view = view_of(30);
  FrameStyle style = style_of(100);
  style.is_live = true;
  EXPECT_TRUE(support::has(joined(top_frame(view, style)), "the training continues"));

  view.status = RunStatus::kFinished;
  EXPECT_FALSE(support::has(joined(top_frame(view, style)), "the training continues"));
}

TEST(TopFrame, ReportsAnomalies) {
  TopView view = view_of(30);
  view.num_unreadable = 2;
  view.age_s = 120.0;
  view.steps[4].skipped = true;
  view.steps.back().loss = std::nan("");
  std::string text = joined(top_frame(view, style_of(100)));
  EXPECT_TRUE(support::has(text, "2 lines of metrics.jsonl could not be parsed"));
  EXPECT_TRUE(support::has(text, "no metrics written for 2min"));
  EXPECT_TRUE(support::has(text, "1 of the last 30 steps: loss not finite"));
  EXPECT_TRUE(support::has(text, "loss        not finite"));

  view.status = RunStatus::kStopped;
  text = joined(top_frame(view, style_of(100)));
  EXPECT_TRUE(support::has(text, "not running and not finished"));
  EXPECT_FALSE(support::has(text, "eta"));
}

TEST(TopFrame, WithoutUnicodeAllCharactersAreAscii) {
  FrameStyle style = style_of(80);
  style.unicode = false;
  for (const std::string& line : top_frame(view_of(60), style))
    for (const char letter : line)
      EXPECT_GT(letter, 0);
}

}  // namespace
}  // namespace myxtts::cli
