#include "train/run_page.h"

#include <string_view>

#include <gtest/gtest.h>

#include "base/html_page.h"
#include "support/temp_dir.h"
#include "train/metrics_log.h"
#include "train/run_samples.h"

namespace xtts::train {
namespace {

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

// A run folder as a training of 100 steps leaves it.
void write_run(const support::TempDir& dir) {
  {
    MetricsLog log(dir.path() / "metrics.jsonl", 0, 0);
    for (std::int64_t step = 1; step <= 100; ++step)
      log.write({.step = step, .loss = 2.0, .parts = {{"mel", 1.0}}});
    log.write_validation(100, 1.5, {{"mel", 0.75}});
  }
  for (const std::int64_t step : {50, 100}) {
    dir.write(sample_path("", step, "1_alignment.png").string(),
              "alignment" + std::to_string(step));
    dir.write(sample_path("", step, "1_recorded.png").string(), "recorded" + std::to_string(step));
    dir.write(sample_path("", step, "1_spoken.png").string(), "spoken" + std::to_string(step));
    dir.write(sample_path("", step, "1.wav").string(), "sound" + std::to_string(step));
  }
}

TEST(RunPage, ShowsWhatTheRunFolderHolds) {
  const support::TempDir dir;
  write_run(dir);
  config::TrainingConfig training;
  training.text2audio_texts = {"<b>One", "Two"};

  const RunStory story = read_run_story(dir.path(), training);
  const std::string page = run_page(story, {.steps = 100}, "my <voice>");

  EXPECT_EQ(count_of(page, "<svg "), 2U);
  for (const char* bytes : {"alignment50", "alignment100", "recorded100", "spoken100"})
    EXPECT_EQ(count_of(page, base::data_uri("image/png", bytes)), 1U) << bytes;
  EXPECT_EQ(count_of(page, base::data_uri("image/png", "spoken50")), 0U);
  for (const char* bytes : {"sound50", "sound100"})
    EXPECT_EQ(count_of(page, base::data_uri("audio/wav", bytes)), 1U) << bytes;
  EXPECT_EQ(count_of(page, "&lt;b&gt;One"), 1U);
  EXPECT_EQ(count_of(page, "<b>"), 0U);
  EXPECT_EQ(count_of(page, "<title>Training of my &lt;voice&gt;</title>"), 1U);
  EXPECT_EQ(count_of(page, "<dd class=\"\">100</dd>"), 1U);
}

TEST(RunPage, AVocoderIsHeardBesideTheRecording) {
  const support::TempDir dir;
  dir.write(sample_path("", 0, "1_recorded.wav").string(), "recorded");
  for (const std::int64_t step : {50, 100})
    dir.write(sample_path("", step, "1_vocoder.wav").string(), "made" + std::to_string(step));

  const std::string page =
      run_page(read_run_story(dir.path(), config::TrainingConfig{}), {.steps = 100}, "vocoder");

  for (const char* bytes : {"recorded", "made50", "made100"})
    EXPECT_EQ(count_of(page, base::data_uri("audio/wav", bytes)), 1U) << bytes;
}

TEST(RunPage, MetricsAreReadFromWhereTheyWereWritten) {
  const support::TempDir dir;
  config::TrainingConfig training;
  training.metrics_file = dir.write("elsewhere.jsonl", "{\"step\":1,\"loss\":2.0}\n").string();

  EXPECT_EQ(read_run_story(dir.path(), training).losses.size(), 1U);
}

TEST(RunPage, AnEmptyRunHasAPageWithoutEmptySections) {
  const support::TempDir dir;

  const std::string page = run_page(read_run_story(dir.path(), {}), {}, "nothing");

  EXPECT_EQ(count_of(page, "<section"), 0U);
  EXPECT_EQ(count_of(page, "</html>"), 1U);
  EXPECT_EQ(count_of(page, "nan"), 0U);
}

}  // namespace
}  // namespace xtts::train
