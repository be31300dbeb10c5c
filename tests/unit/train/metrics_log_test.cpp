#include "train/metrics_log.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/random.h"
#include "support/temp_dir.h"

namespace myxtts::train {
namespace {

StepMetrics metrics_of(std::int64_t step) {
  return {.step = step,
          .epoch = 2,
          .loss = 1.0 / static_cast<double>(step),
          .parts = {{"mel", 0.25}, {"duration", 0.125}},
          .grad_norm = 0.5,
          .lr = 1e-3,
          .step_s = 0.4,
          .copy_s = 0.1,
          .wait_s = 0.0,
          .data = {.busy_s = 0.5, .waiting_s = 0.25, .blocked_s = 1.5},
          .signature = "B8 T64 M256",
          .retraces = 1};
}

std::string lines(std::int64_t first, std::int64_t last) {
  std::string text;
  for (std::int64_t step = first; step <= last; ++step)
    text += metrics_line(metrics_of(step)) + '\n';
  return text;
}

TEST(MetricsLine, HasTheDocumentedFields) {
  EXPECT_EQ(
      metrics_line(metrics_of(4)),
      R"({"step":4,"epoch":2,"loss":0.25,"loss_mel":0.25,"loss_duration":0.125,)"
      R"("grad_norm":0.5,"lr":0.001,"step_s":0.4,"copy_s":0.1,"wait_s":0.0,"host_s":0.0,"buffer_depth":0,)"
      R"("data_busy_s":0.5,"data_waiting_s":0.25,"data_blocked_s":1.5,)"
      R"("signature":"B8 T64 M256","retraces":1})");
}

TEST(MetricsLine, NumbersRoundTripExactly) {
  base::Random random(7);
  StepMetrics metrics = metrics_of(1);
  std::vector<double> values = {0.0, -0.0, 1e-320, 5e-324, 0.1, 1e22, 1e23, 1.7976931348623157e308};
  while (values.size() < 5000) {
    const auto value = std::bit_cast<double>(random.next());
    if (std::isfinite(value)) values.push_back(value);
    values.push_back(static_cast<double>(
        std::bit_cast<float>(static_cast<std::uint32_t>(0x3F000000U + random.below(0x00FFFFFFU)))));
  }

  for (const double value : values) {
    metrics.loss = value;
    const double read = nlohmann::json::parse(metrics_line(metrics)).at("loss").get<double>();
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(value)) << value;
  }
}

TEST(MetricsLine, ValuesThatAreNotFiniteAreNull) {
  StepMetrics metrics = metrics_of(1);
  metrics.loss = std::numeric_limits<double>::quiet_NaN();
  metrics.grad_norm = std::numeric_limits<double>::infinity();
  metrics.skipped = true;

  const auto line = nlohmann::json::parse(metrics_line(metrics));

  EXPECT_TRUE(line.at("loss").is_null());
  EXPECT_TRUE(line.at("grad_norm").is_null());
  EXPECT_TRUE(line.at("skipped").get<bool>());
}

TEST(MetricsLog, WritesStepsAndValidations) {
  const support::TempDir folder;
  const auto path = folder.path() / "metrics.jsonl";

  {
    MetricsLog log(path, 0, 0);
    log.write(metrics_of(1));
    log.write_validation(1, 0.5, {{"mel", 0.25}});
  }

  EXPECT_EQ(support::contents(path),
            lines(1, 1) + R"({"step":1,"validation_loss":0.5,"validation_mel":0.25})" + '\n');
}

TEST(MetricsLog, IsTruncatedToTheCheckpointAndContinues) {
  const support::TempDir folder;
  const std::string validation = "{\"step\":5,\"validation_loss\":0.5}\n";
  const auto path = folder.write("metrics.jsonl", lines(1, 5) + validation + lines(6, 9));

  { MetricsLog(path, 5, 5).write(metrics_of(6)); }

  EXPECT_EQ(support::contents(path), lines(1, 5) + validation + lines(6, 6));
}

TEST(MetricsLog, RemovesAValidationAfterTheCheckpoint) {
  const support::TempDir folder;
  const std::string known = "{\"step\":3,\"validation_loss\":0.5}\n";
  const std::string later = "{\"step\":5,\"validation_loss\":0.4}\n";
  const auto path = folder.write("metrics.jsonl", lines(1, 3) + known + lines(4, 5) + later);

  { const MetricsLog log(path, 5, 3); }

  EXPECT_EQ(support::contents(path), lines(1, 3) + known + lines(4, 5));
}

TEST(MetricsLog, RemovesAJudgementAfterTheCheckpoint) {
  const support::TempDir folder;
  const std::string known = "{\"step\":3,\"judged\":{\"word_error_rate\":0.5}}\n";
  const auto path = folder.path() / "metrics.jsonl";
  {
    MetricsLog log(path, 0, 0);
    for (int step = 1; step <= 5; ++step) {
      log.write(metrics_of(step));
      const JudgedStep judged{.step = step, .judgement = {.numbers = {{"word_error_rate", 0.5}}}};
      if (step == 3 || step == 5) log.write_judgement(judged);
    }
  }

  { const MetricsLog log(path, 5, 5, 3); }

  EXPECT_EQ(support::contents(path), lines(1, 3) + known + lines(4, 5));
}

TEST(MetricsLog, RemovesAnIncompleteLastLine) {
  const support::TempDir folder;
  const std::string whole = lines(1, 3);
  const std::string last = lines(4, 4);

  // Every eighth length, and the one before the newline.
  for (std::size_t size = (last.size() - 1) % 8; size < last.size(); size += 8) {
    const auto path = folder.write("metrics.jsonl", whole + last.substr(0, size));
    { const MetricsLog log(path, 10, 10); }
    ASSERT_EQ(support::contents(path), whole) << size;
  }
}

TEST(MetricsLog, RemovesZerosAfterAPowerFailure) {
  const support::TempDir folder;
  const auto path = folder.write("metrics.jsonl", lines(1, 3) + std::string(4096, '\0') + "\n");

  { const MetricsLog log(path, 10, 10); }

  EXPECT_EQ(support::contents(path), lines(1, 3));
}

TEST(MetricsLog, ANewRunStartsWithAnEmptyFile) {
  const support::TempDir folder;
  const auto path = folder.write("metrics.jsonl", lines(1, 3));

  { const MetricsLog log(path, 0, 0); }

  EXPECT_EQ(std::filesystem::file_size(path), 0U);
}

TEST(MetricsLog, KeepsAllLinesOfAValidFile) {
  const support::TempDir folder;
  const auto path = folder.write("metrics.jsonl", lines(1, 2000));

  { const MetricsLog log(path, 2000, 2000); }

  EXPECT_EQ(support::contents(path), lines(1, 2000));
}

}  // namespace
}  // namespace myxtts::train
