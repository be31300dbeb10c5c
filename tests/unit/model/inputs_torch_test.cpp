#include "model/inputs_torch.h"

#include <gtest/gtest.h>

#include "unit/model/small_model_torch.h"

namespace xtts::model {
namespace {

TEST(Inputs, AreTheBatchsOwnMemory) {
  const std::vector<Row> rows = random_rows(2, 1, /*crop=*/5);
  const pipeline::Signature signature = signature_of(rows, 2);
  pipeline::Batch batch = batch_of(rows, signature);

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

}  // namespace
}  // namespace xtts::model
