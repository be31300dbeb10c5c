#include "model/voice_encoder_torch.h"

#include <gtest/gtest.h>

#include "unit/model/small_model_torch.h"

namespace xtts::model {
namespace {

TEST(VoiceEncoder, EachRowsVectorIsOfItsOwnClip) {
  ParameterSet parameters(1);
  const VoiceEncoder encoder(parameters, small_config());
  parameters.flatten();
  const torch::Tensor clips = random_tensor({3, 20, kChannels}, 2);
  const torch::Tensor voices = encoder(clips);
  ASSERT_EQ(voices.sizes(), (std::vector<std::int64_t>{3, small_config().speaker_embedding_dim}));

  torch::Tensor changed = clips.clone();
  changed[1] += random_tensor({20, kChannels}, 3);
  const torch::Tensor moved = (encoder(changed) - voices).abs().sum(-1);

  EXPECT_EQ(moved[0].item<double>(), 0.0);
  EXPECT_GT(moved[1].item<double>(), 1e-3);
  EXPECT_EQ(moved[2].item<double>(), 0.0);
}

TEST(VoiceEncoder, ASteadySoundIsTheSameVoiceHoweverLong) {
  ParameterSet parameters(1);
  const VoiceEncoder encoder(parameters, small_config());
  parameters.flatten();
  const torch::Tensor frame = random_tensor({1, 1, kChannels}, 4);

  const torch::Tensor short_clip = encoder(frame.expand({1, 100, kChannels}));
  const torch::Tensor long_clip = encoder(frame.expand({1, 1000, kChannels}));

  // Only the three frames at either end differ from those in the middle.
  EXPECT_LE(relative_difference(long_clip, short_clip), 0.1);
}

TEST(VoiceEncoder, WithoutConditioningAllVoicesAreZero) {
  config::ModelConfig config = small_config();
  config.use_voice_conditioning = false;
  ParameterSet parameters(1);
  const VoiceEncoder encoder(parameters, config);
  parameters.flatten();

  const torch::Tensor voices = encoder(random_tensor({2, 9, kChannels}, 5));

  EXPECT_TRUE(voices.equal(torch::zeros({2, config.speaker_embedding_dim})));
}

}  // namespace
}  // namespace xtts::model
