#include "data/batch.h"

#include <gtest/gtest.h>

namespace myxtts::data {
namespace {

TEST(EmptyMicroBatch, IsPaddingOfTheSignaturesSizes) {
  const MicroBatch micro_batch = empty_micro_batch({.batch = 2, .text = 3, .mel = 4}, 5, 6, -11.5F);

  EXPECT_EQ(micro_batch.text, std::vector<std::int64_t>(6, 0));
  EXPECT_EQ(micro_batch.mel, std::vector<float>(40, -11.5F));
  EXPECT_EQ(micro_batch.reference, std::vector<float>(60, -11.5F));
  EXPECT_EQ(micro_batch.text_lengths, std::vector<std::int64_t>(2, 0));
  EXPECT_EQ(micro_batch.mel_lengths, std::vector<std::int64_t>(2, 0));
  EXPECT_EQ(micro_batch.crop_starts.size(), 2U);
  EXPECT_EQ(micro_batch.ids, std::vector<std::string>(2));
  EXPECT_EQ(counts_of(micro_batch, 0), BatchCounts{});
}

TEST(CountsOf, CountsValidPositionsAndCroppedFrames) {
  MicroBatch micro_batch = empty_micro_batch({.batch = 3, .text = 8, .mel = 16}, 1, 1, 0.0F);
  micro_batch.text_lengths = {4, 0, 5};
  micro_batch.mel_lengths = {9, 0, 16};

  EXPECT_EQ(counts_of(micro_batch, 0), (BatchCounts{2, 9, 25, 25}));
  EXPECT_EQ(counts_of(micro_batch, 10), (BatchCounts{2, 9, 25, 19}));
}

TEST(SliceRows, SlicesEveryArray) {
  MicroBatch micro_batch = empty_micro_batch(
      {.batch = 3, .text = 2, .mel = 4}, /*n_mels=*/2, /*reference_frames=*/3, 0.0F);
  for (std::size_t row = 0; row < 3; ++row) {
    const auto value = static_cast<std::int64_t>(row);
    std::fill_n(micro_batch.text.begin() + 2 * value, 2, value);
    std::fill_n(micro_batch.mel.begin() + 8 * value, 8, static_cast<float>(row));
    std::fill_n(micro_batch.reference.begin() + 6 * value, 6, static_cast<float>(row));
    micro_batch.text_lengths[row] = micro_batch.mel_lengths[row] = micro_batch.crop_starts[row] =
        value;
    micro_batch.utterances[row] = row;
    micro_batch.ids[row] = std::to_string(row);
  }

  const MicroBatch last = slice_rows(micro_batch, 1, 3);

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

// Three different signatures have the most rows, symbols and frames.
TEST(MicroBatch, ReservedMemoryFitsEverySignature) {
  const std::vector<Signature> signatures = {{.batch = 9, .text = 2, .mel = 4},
                                             {.batch = 5, .text = 20, .mel = 5},
                                             {.batch = 2, .text = 9, .mel = 90}};
  MicroBatch micro_batch;
  reserve(micro_batch, signatures, 3, 6);
  const auto bytes = [](const auto& array) { return array.capacity() * sizeof(array[0]); };
  const auto whole = [&] {
    return bytes(micro_batch.text) + bytes(micro_batch.text_lengths) + bytes(micro_batch.mel) +
           bytes(micro_batch.mel_lengths) + bytes(micro_batch.reference) +
           bytes(micro_batch.crop_starts) + bytes(micro_batch.utterances) + bytes(micro_batch.ids);
  };
  EXPECT_EQ(whole(), bytes_of(signatures, 3, 6));

  for (const Signature& signature : signatures)
    set_shape(micro_batch, signature, 3, 6);
  EXPECT_EQ(whole(), bytes_of(signatures, 3, 6));
}

}  // namespace
}  // namespace myxtts::data
