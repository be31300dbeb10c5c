#include "train/run_report_page.h"

#include <string_view>

#include <gtest/gtest.h>

#include "base/html_page.h"
#include "support/temp_dir.h"
#include "train/metrics_log.h"
#include "train/run_samples.h"

namespace myxtts::train {
namespace {

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

// Writes the files of a training run of 100 steps.
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
    dir.write(sample_path("", step, "1.wav").string(), "audio" + std::to_string(step));
  }
}

TEST(RunReportPage, ShowsTheContentOfTheRunFolder) {
  const support::TempDir dir;
  write_run(dir);
  config::TrainingConfig training;
  training.text2audio_texts = {"<b>One", "Two"};

  const ReportContent content = read_report_content(dir.path(), training);
  const std::string page = run_report_page(content, {.steps = 100}, "my <voice>");

  EXPECT_EQ(count_of(page, "<svg "), 2U);
  for (const char* bytes : {"alignment50", "alignment100", "recorded100", "spoken100"})
    EXPECT_EQ(count_of(page, base::data_uri("image/png", bytes)), 1U) << bytes;
  EXPECT_EQ(count_of(page, base::data_uri("image/png", "spoken50")), 0U);
  for (const char* bytes : {"audio50", "audio100"})
    EXPECT_EQ(count_of(page, base::data_uri("audio/wav", bytes)), 1U) << bytes;
  EXPECT_EQ(count_of(page, "&lt;b&gt;One"), 1U);
  EXPECT_EQ(count_of(page, "<b>"), 0U);
  EXPECT_EQ(count_of(page, "<title>Training of my &lt;voice&gt;</title>"), 1U);
  EXPECT_EQ(count_of(page, "<dd class=\"\">100</dd>"), 1U);
}

TEST(RunReportPage, PlaysVocodedAudioBesideTheRecording) {
  const support::TempDir dir;
  dir.write(sample_path("", 0, "1_recorded.wav").string(), "recorded");
  for (const std::int64_t step : {50, 100})
    dir.write(sample_path("", step, "1_vocoder.wav").string(), "vocoded" + std::to_string(step));

  const std::string page = run_report_page(
      read_report_content(dir.path(), config::TrainingConfig{}), {.steps = 100}, "vocoder");

  for (const char* bytes : {"recorded", "vocoded50", "vocoded100"})
    EXPECT_EQ(count_of(page, base::data_uri("audio/wav", bytes)), 1U) << bytes;
}

TEST(RunReportPage, ReadsMetricsFromTheConfiguredFile) {
  const support::TempDir dir;
  config::TrainingConfig training;
  training.metrics_file = dir.write("elsewhere.jsonl", "{\"step\":1,\"loss\":2.0}\n").string();

  EXPECT_EQ(read_report_content(dir.path(), training).losses.size(), 1U);
}

TEST(RunReportPage, EmptyRunHasNoSections) {
  const support::TempDir dir;

  const std::string page = run_report_page(read_report_content(dir.path(), {}), {}, "nothing");

  EXPECT_EQ(count_of(page, "<section"), 0U);
  EXPECT_EQ(count_of(page, "</html>"), 1U);
  EXPECT_EQ(count_of(page, "nan"), 0U);
}

}  // namespace
}  // namespace myxtts::train
