#include "train/memory_budget.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::train {
namespace {

constexpr double kGB = 1e9;

// 1 GB before the first step; 16 short rows need 4.1 GB, 8 long rows 4.9 GB.
MemoryNeed some_need() {
  return {.resident_bytes = 0.7 * kGB,
          .buffer_bytes = 0.2 * kGB,
          .checkpoint_bytes = 0.1 * kGB,
          .signatures = {{.signature = {.batch = 16, .text = 50, .mel = 300},
                          .bytes = {.fixed = 0.1 * kGB, .per_row = 0.25 * kGB}},
                         {.signature = {.batch = 8, .text = 100, .mel = 600},
                          .bytes = {.fixed = 0.1 * kGB, .per_row = 0.6 * kGB}}}};
}

TEST(MemoryNeed, UsesTheLargestSignature) {
  EXPECT_DOUBLE_EQ(some_need().step_bytes(), 4.9 * kGB);
  EXPECT_DOUBLE_EQ(some_need().total_bytes(), 5.9 * kGB);
  const MemoryNeed nothing{
      .resident_bytes = 5.0, .buffer_bytes = 1.0, .checkpoint_bytes = 2.0, .signatures = {}};
  EXPECT_DOUBLE_EQ(nothing.total_bytes(), 8.0);
}

TEST(MemoryNeed, IncludesPendingMemory) {
  MemoryNeed need = some_need();
  need.pending_bytes = 3.0 * kGB;

  EXPECT_DOUBLE_EQ(need.total_bytes(), 8.9 * kGB);
  EXPECT_DOUBLE_EQ(need.total_bytes_at(16, 16), 8.9 * kGB);
}

TEST(MemoryNeed, ShrinksWithTheBatch) {
  EXPECT_DOUBLE_EQ(some_need().total_bytes_at(8, 16), (0.8 + 0.1 + 0.1 + 4 * 0.6) * kGB);
  EXPECT_DOUBLE_EQ(some_need().total_bytes_at(16, 16), some_need().total_bytes());
  EXPECT_DOUBLE_EQ(some_need().total_bytes_at(1, 16), (0.8 + 0.0125 + 0.1 + 0.6) * kGB);  // one row
}

TEST(MemoryBudget, IsAShareOfTheFreeMemoryOrTheConfiguredSize) {
  EXPECT_DOUBLE_EQ(memory_budget("auto", 1e9, 10e9).bytes, 9e9);
  EXPECT_DOUBLE_EQ(memory_budget("6GB", 1e9, 10e9).bytes, 6e9);
  EXPECT_THROW(memory_budget("plenty", 1e9, 10e9), UsageError);
}

TEST(LargestBatchThatFits, IsAMultipleOfTheMicroBatches) {
  EXPECT_EQ(largest_batch_that_fits(some_need(), 4.0 * kGB, 16, 1), 8);
  EXPECT_EQ(largest_batch_that_fits(some_need(), 4.2 * kGB, 16, 1), 10);
  EXPECT_EQ(largest_batch_that_fits(some_need(), 4.0 * kGB, 16, 4), 8);
  EXPECT_EQ(largest_batch_that_fits(some_need(), 1.5 * kGB, 16, 1), std::nullopt);
}

TEST(MemoryRefusal, SuggestsThreeSettingsThatFit) {
  const std::vector<Alternative> shorter = {
      {.flags = "--max-mel-frames 500", .drawback = "filters 5.0 %", .total_bytes = 4.2 * kGB},
      {.flags = "--max-mel-frames 400", .drawback = "filters 9.0 %", .total_bytes = 3.9 * kGB}};
  const std::vector<Alternative> smaller = {
      {.flags = "--model-size tiny", .drawback = "", .total_bytes = 2.0 * kGB}};

  const std::string text =
      format_memory_refusal(some_need(), memory_budget("4GB", 0, 0), 16, 1, shorter, smaller);

  EXPECT_EQ(text,
            "this training needs 5.90 GB (0.70 GB before its first step, 0.20 GB for the buffer, "
            "4.90 GB for a step of 8x100x600, 0.10 GB for a checkpoint), the limit is 4.00 GB "
            "(--memory-budget). Settings that fit:"
            "\n  --batch-size 8           3.40 GB"
            "\n  --max-mel-frames 400     3.90 GB; filters 9.0 %"
            "\n  --model-size tiny        2.00 GB");
}

TEST(MemoryRefusal, NamesSettingsThatDoNotFit) {
  const std::string text =
      format_memory_refusal(some_need(), memory_budget("1GB", 0, 0), 16, 1, {}, {});

  EXPECT_NE(text.find("no smaller batch fits"), std::string::npos);
  EXPECT_NE(text.find("no shorter utterance limit fits"), std::string::npos);
  EXPECT_NE(text.find("no smaller model fits"), std::string::npos);
}

}  // namespace
}  // namespace myxtts::train
