#include "model/inputs_torch.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::model {
namespace {

TEST(Inputs, ShareTheMemoryOfTheMicroBatch) {
  const std::vector<Row> rows = random_rows(2, 1, /*crop=*/5);
  const data::Signature signature = signature_of(rows, 2);
  data::MicroBatch batch = batch_of(rows, signature);

  const Inputs inputs = inputs_of(batch);

  EXPECT_EQ(inputs.text.data_ptr(), batch.text.data());
  EXPECT_EQ(inputs.mel.data_ptr(), batch.mel.data());
  EXPECT_EQ(inputs.reference.data_ptr(), batch.reference.data());
  EXPECT_EQ(inputs.text.sizes(), (std::vector<std::int64_t>{2, signature.text}));
  EXPECT_EQ(inputs.mel.sizes(), (std::vector<std::int64_t>{2, signature.mel, kChannels}));
  EXPECT_EQ(inputs.reference.sizes(), (std::vector<std::int64_t>{2, kReferenceFrames, kChannels}));
  for (std::int64_t b = 0; b < 2; ++b) {
    const Row& row = rows[static_cast<std::size_t>(b)];
    EXPECT_EQ(inputs.text_lengths[b].item<std::int64_t>(), std::ssize(row.text));
    EXPECT_EQ(inputs.mel_lengths[b].item<std::int64_t>(), row.num_frames());
    EXPECT_EQ(inputs.crop_starts[b].item<std::int64_t>(), row.crop_start);
    EXPECT_EQ(inputs.text[b][2].item<std::int64_t>(), row.text[2]);
    EXPECT_EQ(inputs.mel[b][2][3].item<float>(), row.mel[2 * kChannels + 3]);
  }
}

TEST(Inputs, PackingAndUnpackingKeepsAllValues) {
  const std::vector<Row> rows = random_rows(3, 2, /*crop=*/5);
  data::MicroBatch batch = batch_of(rows, signature_of(rows, 1));
  const InputSizes sizes{.signature = batch.signature,
                         .n_mels = batch.n_mels,
                         .reference_frames = batch.reference_frames};
  torch::Tensor memory = torch::full({packed_bytes(sizes)}, 255, torch::kUInt8);

  pack(batch, {static_cast<std::byte*>(memory.data_ptr()), memory.nbytes()});

  const Inputs expected = inputs_of(batch);
  const Inputs found = unpacked(memory, sizes);
  EXPECT_TRUE(same_bits(found.text, expected.text));
  EXPECT_TRUE(same_bits(found.text_lengths, expected.text_lengths));
  EXPECT_TRUE(same_bits(found.mel, expected.mel));
  EXPECT_TRUE(same_bits(found.mel_lengths, expected.mel_lengths));
  EXPECT_TRUE(same_bits(found.reference, expected.reference));
  EXPECT_TRUE(same_bits(found.crop_starts, expected.crop_starts));
  found.mel.fill_(0.0);
  EXPECT_EQ(unpacked(memory, sizes).mel.abs().sum().item<float>(), 0.0F);  // views, no copies
}

TEST(Inputs, PackRejectsRowsThatDoNotFit) {
  const std::vector<Row> rows = random_rows(2, 3);
  const data::MicroBatch good = batch_of(rows, signature_of(rows));
  std::vector<std::byte> memory(1 << 16);
  pack(good, memory);

  data::MicroBatch more_symbols_than_frames = good;
  more_symbols_than_frames.mel_lengths[1] = good.text_lengths[1] - 1;
  EXPECT_THROW(pack(more_symbols_than_frames, memory), BugError);
  data::MicroBatch too_long = good;
  too_long.mel_lengths[0] = good.signature.mel + 1;
  EXPECT_THROW(pack(too_long, memory), BugError);
  EXPECT_THROW(pack(good, std::span(memory).first(8)), BugError);
}

}  // namespace
}  // namespace myxtts::model
