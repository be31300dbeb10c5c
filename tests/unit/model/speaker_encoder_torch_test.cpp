#include "model/speaker_encoder_torch.h"

#include <gtest/gtest.h>

#include "unit/model/small_model_torch.h"

namespace myxtts::model {
namespace {

TEST(SpeakerEncoder, EmbeddingDependsOnTheClipOfItsRow) {
  ParameterSet parameters(1);
  const SpeakerEncoder encoder(parameters, small_config());
  parameters.flatten();
  const torch::Tensor clips = random_tensor({3, 20, kChannels}, 2);
  const torch::Tensor embeddings = encoder(clips);
  ASSERT_EQ(embeddings.sizes(),
            (std::vector<std::int64_t>{3, small_config().speaker_embedding_dim}));

  torch::Tensor changed = clips.clone();
  changed[1] += random_tensor({20, kChannels}, 3);
  const torch::Tensor change = (encoder(changed) - embeddings).abs().sum(-1);

  EXPECT_EQ(change[0].item<double>(), 0.0);
  EXPECT_GT(change[1].item<double>(), 1e-3);
  EXPECT_EQ(change[2].item<double>(), 0.0);
}

TEST(SpeakerEncoder, EmbeddingOfAConstantClipDoesNotDependOnItsLength) {
  ParameterSet parameters(1);
  const SpeakerEncoder encoder(parameters, small_config());
  parameters.flatten();
  const torch::Tensor frame = random_tensor({1, 1, kChannels}, 4);

  const torch::Tensor short_clip = encoder(frame.expand({1, 100, kChannels}));
  const torch::Tensor long_clip = encoder(frame.expand({1, 1000, kChannels}));

  // Padding affects only the three frames at each end.
  EXPECT_LE(relative_difference(long_clip, short_clip), 0.1);
}

TEST(SpeakerEncoder, EmbeddingsAreZeroWithoutConditioning) {
  config::ModelConfig config = small_config();
  config.use_voice_conditioning = false;
  ParameterSet parameters(1);
  const SpeakerEncoder encoder(parameters, config);
  parameters.flatten();

  const torch::Tensor embeddings = encoder(random_tensor({2, 9, kChannels}, 5));

  EXPECT_TRUE(embeddings.equal(torch::zeros({2, config.speaker_embedding_dim})));
}

}  // namespace
}  // namespace myxtts::model
