#include "pipeline/batch.h"

#include <gtest/gtest.h>

namespace xtts::pipeline {
namespace {

TEST(EmptyBatch, IsAllPaddingInTheShapesOfItsSignature) {
  const Batch batch = empty_batch({.batch = 2, .text = 3, .mel = 4}, 5, 6, -11.5F);

  EXPECT_EQ(batch.text, std::vector<std::int64_t>(6, 0));
  EXPECT_EQ(batch.mel, std::vector<float>(40, -11.5F));
  EXPECT_EQ(batch.reference, std::vector<float>(60, -11.5F));
  EXPECT_EQ(batch.text_lengths, std::vector<std::int64_t>(2, 0));
  EXPECT_EQ(batch.mel_lengths, std::vector<std::int64_t>(2, 0));
  EXPECT_EQ(batch.crop_starts.size(), 2U);
  EXPECT_EQ(batch.ids, std::vector<std::string>(2));
  EXPECT_EQ(counts_of(batch, 0), UpdateCounts{});
}

TEST(CountsOf, CountsValidRowsAndWhatTheDecoderSeesOfThem) {
  Batch batch = empty_batch({.batch = 3, .text = 8, .mel = 16}, 1, 1, 0.0F);
  batch.text_lengths = {4, 0, 5};
  batch.mel_lengths = {9, 0, 16};

  EXPECT_EQ(counts_of(batch, 0), (UpdateCounts{2, 9, 25, 25}));
  EXPECT_EQ(counts_of(batch, 10), (UpdateCounts{2, 9, 25, 19}));
}

}  // namespace
}  // namespace xtts::pipeline
