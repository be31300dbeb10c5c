#include "pipeline/batch.h"

#include <gtest/gtest.h>

namespace xtts::pipeline {
namespace {

TEST(EmptyBatch, IsAllPaddingInTheShapesOfItsSignature) {
  const MicroBatch batch = empty_batch({.batch = 2, .text = 3, .mel = 4}, 5, 6, -11.5F);

  EXPECT_EQ(batch.text, std::vector<std::int64_t>(6, 0));
  EXPECT_EQ(batch.mel, std::vector<float>(40, -11.5F));
  EXPECT_EQ(batch.reference, std::vector<float>(60, -11.5F));
  EXPECT_EQ(batch.text_lengths, std::vector<std::int64_t>(2, 0));
  EXPECT_EQ(batch.mel_lengths, std::vector<std::int64_t>(2, 0));
  EXPECT_EQ(batch.crop_starts.size(), 2U);
  EXPECT_EQ(batch.ids, std::vector<std::string>(2));
  EXPECT_EQ(counts_of(batch, 0), BatchCounts{});
}

TEST(CountsOf, CountsValidRowsAndWhatTheDecoderSeesOfThem) {
  MicroBatch batch = empty_batch({.batch = 3, .text = 8, .mel = 16}, 1, 1, 0.0F);
  batch.text_lengths = {4, 0, 5};
  batch.mel_lengths = {9, 0, 16};

  EXPECT_EQ(counts_of(batch, 0), (BatchCounts{2, 9, 25, 25}));
  EXPECT_EQ(counts_of(batch, 10), (BatchCounts{2, 9, 25, 19}));
}

TEST(RowsOf, TakesSomeRowsOfEverything) {
  MicroBatch batch =
      empty_batch({.batch = 3, .text = 2, .mel = 4}, /*n_mels=*/2, /*reference_frames=*/3, 0.0F);
  for (std::size_t row = 0; row < 3; ++row) {
    const auto value = static_cast<std::int64_t>(row);
    std::fill_n(batch.text.begin() + 2 * value, 2, value);
    std::fill_n(batch.mel.begin() + 8 * value, 8, static_cast<float>(row));
    std::fill_n(batch.reference.begin() + 6 * value, 6, static_cast<float>(row));
    batch.text_lengths[row] = batch.mel_lengths[row] = batch.crop_starts[row] = value;
    batch.utterances[row] = row;
    batch.ids[row] = std::to_string(row);
  }

  const MicroBatch last = rows_of(batch, 1, 3);

  EXPECT_EQ(last.signature, (Signature{.batch = 2, .text = 2, .mel = 4}));
  EXPECT_EQ(last.text, (std::vector<std::int64_t>{1, 1, 2, 2}));
  EXPECT_EQ(last.mel, (std::vector<float>{1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(last.reference, (std::vector<float>{1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(last.ids, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(last.mel_lengths, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(last.crop_starts, last.text_lengths);
  EXPECT_EQ(last.utterances, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(last.n_mels, 2);
  EXPECT_EQ(last.reference_frames, 3);
}

// The most rows, symbols and frames are those of three different signatures.
TEST(MicroBatch, AReservedOneHasHeldEverySignatureAndAsksForNothingMore) {
  const std::vector<Signature> signatures = {{.batch = 9, .text = 2, .mel = 4},
                                             {.batch = 5, .text = 20, .mel = 5},
                                             {.batch = 2, .text = 9, .mel = 90}};
  MicroBatch batch;
  reserve(batch, signatures, 3, 6);
  const auto bytes = [](const auto& array) { return array.capacity() * sizeof(array[0]); };
  const auto whole = [&] {
    return bytes(batch.text) + bytes(batch.text_lengths) + bytes(batch.mel) +
           bytes(batch.mel_lengths) + bytes(batch.reference) + bytes(batch.crop_starts) +
           bytes(batch.utterances) + bytes(batch.ids);
  };
  EXPECT_EQ(whole(), bytes_of(signatures, 3, 6));

  for (const Signature& signature : signatures)
    shape(batch, signature, 3, 6);
  EXPECT_EQ(whole(), bytes_of(signatures, 3, 6));
}

}  // namespace
}  // namespace xtts::pipeline
