#include "model/vocoder_torch.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "audio/mel.h"
#include "base/error.h"
#include "model/frame_mel_spec.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::model {
namespace {

constexpr std::int64_t kHop = 16;

config::ModelConfig small_vocoder() {
  config::ModelConfig config = small_config();
  config.n_fft = 64;
  config.win_length = 64;
  config.hop_length = kHop;
  config.vocoder_initial_channel = 16;
  config.vocoder_layers = 2;
  config.vocoder_ffn_dim = 24;
  return config;
}

// Adds noise to the parameters: a new vocoder adds nothing to the envelope.
class SmallVocoder : public Vocoder {
 public:
  SmallVocoder() : Vocoder(small_vocoder(), 1) {
    add_noise(parameters(), 0.1, 2);
    mel_normalisation() = {.mean = -5.0F, .std = 2.0F};
  }
};

torch::Tensor random_mel(std::int64_t rows, std::int64_t frames) {
  return random_tensor({rows, frames, kChannels}, 3) * 2.0 - 5.0;
}

TEST(Vocoder, HasTheExpectedNumberOfParameters) {
  config::ModelConfig config;
  EXPECT_NEAR(static_cast<double>(Vocoder(config, 1).parameters().num_elements()), 2.8e6, 0.02e6);

  config.vocoder_initial_channel = 512;
  config.vocoder_layers = 8;
  config.vocoder_ffn_dim = 1536;
  EXPECT_NEAR(static_cast<double>(Vocoder(config, 1).parameters().num_elements()), 13.5e6, 0.1e6);
}

TEST(Vocoder, GeneratesAHopOfSamplesBetweenTwoFrames) {
  const SmallVocoder vocoder;

  for (const std::int64_t frames : {2, 3, 40}) {
    const torch::Tensor waveform = vocoder.forward(random_mel(3, frames), torch::kFloat32);
    EXPECT_EQ(waveform.sizes(), (std::vector<std::int64_t>{3, (frames - 1) * kHop}));
    EXPECT_EQ(waveform.scalar_type(), torch::kFloat32);
    EXPECT_TRUE(waveform.isfinite().all().item<bool>());
  }
}

TEST(Vocoder, SeedDeterminesTheWaveform) {
  const torch::Tensor mel = random_mel(2, 20);
  const torch::Tensor waveform = Vocoder(small_vocoder(), 1).forward(mel, torch::kFloat32);

  EXPECT_TRUE(same_bits(Vocoder(small_vocoder(), 1).forward(mel, torch::kFloat32), waveform));
  EXPECT_FALSE(same_bits(Vocoder(small_vocoder(), 2).forward(mel, torch::kFloat32), waveform));
}

// The output of an untrained vocoder is loudest at the position of a click in the mel.
TEST(Vocoder, UntrainedVocoderKeepsThePositionOfAClick) {
  const Vocoder vocoder(config::ModelConfig{}, 1);
  const audio::ReferenceMel extractor(frame_mel_spec({}));
  for (const std::size_t click : {3000U, 8192U, 12000U}) {
    std::vector<float> samples(16384, 0.0F);
    samples[click] = 0.9F;
    const audio::Mel mel = extractor.log_mel(samples);

    const torch::NoGradGuard no_grad;
    const torch::Tensor waveform = vocoder.forward(
        torch::tensor(mel.values).view({1, mel.num_frames, mel.n_mels}), torch::kFloat32)[0];

    const torch::Tensor energy = waveform.square();
    const double centre = ((energy * torch::arange(16384)).sum() / energy.sum()).item<double>();
    EXPECT_NEAR(centre, static_cast<double>(click), 200.0);
  }
}

// The mel of an untrained vocoder's output is close to its input.
TEST(Vocoder, UntrainedVocoderReproducesTheEnvelopeOfTheMel) {
  const config::ModelConfig config;
  const Vocoder vocoder(config, 1);
  const audio::ReferenceMel extractor(frame_mel_spec(config));
  std::vector<float> noise = random_values(16384, 4);
  for (std::size_t i = 1; i < noise.size(); ++i)
    noise[i] = 0.9F * noise[i - 1] + 0.05F * noise[i];  // attenuates high frequencies
  const audio::Mel mel = extractor.log_mel(noise);

  const torch::NoGradGuard no_grad;
  const torch::Tensor given = torch::tensor(mel.values).view({mel.num_frames, mel.n_mels});
  const torch::Tensor waveform =
      vocoder.forward(given.unsqueeze(0), torch::kFloat32)[0].contiguous();
  const audio::Mel again = extractor.log_mel(
      {waveform.const_data_ptr<float>(), static_cast<std::size_t>(waveform.numel())});

  const torch::Tensor found = torch::tensor(again.values).view({again.num_frames, again.n_mels});
  ASSERT_EQ(found.size(0), given.size(0));
  // Overlapping frames with random phases partly cancel out, equally in all channels.
  const torch::Tensor difference = found.mean(0) - given.mean(0);
  EXPECT_LE(difference.abs().mean().item<double>(), 1.0);
  EXPECT_LE(difference.std().item<double>(), 0.4);
}

TEST(Vocoder, RowsAreIndependent) {
  const SmallVocoder vocoder;
  const torch::Tensor mel = random_mel(3, 20);
  const torch::Tensor waveform = vocoder.forward(mel, torch::kFloat32);

  torch::Tensor changed = mel.clone();
  changed[1] += 1.0;
  const torch::Tensor change = (vocoder.forward(changed, torch::kFloat32) - waveform).abs().sum(-1);

  EXPECT_EQ(change[0].item<double>(), 0.0);
  EXPECT_GT(change[1].item<double>(), 1e-3);
  EXPECT_EQ(change[2].item<double>(), 0.0);
}

TEST(Vocoder, FramesBeyondTheContextHaveNoInfluence) {
  const SmallVocoder vocoder;
  const std::int64_t context = vocoder.context_frames();
  ASSERT_EQ(context, 3 + 2 * 3 + 1);
  constexpr std::int64_t kFirst = 20;
  constexpr std::int64_t kFrames = 10;
  const torch::Tensor mel = random_mel(1, 60);
  const torch::Tensor whole = vocoder.forward(mel, torch::kFloat32);

  const torch::Tensor part =
      vocoder.forward(mel.narrow(1, kFirst - context, kFrames + 1 + 2 * context), torch::kFloat32);

  EXPECT_LE(relative_difference(part.narrow(1, context * kHop, kFrames * kHop),
                                whole.narrow(1, kFirst * kHop, kFrames * kHop)),
            1e-5);
  // One context frame less changes the result.
  const torch::Tensor less = vocoder.forward(
      mel.narrow(1, kFirst - context + 1, kFrames - 1 + 2 * context), torch::kFloat32);
  EXPECT_GT(relative_difference(less.narrow(1, (context - 1) * kHop, kFrames * kHop),
                                whole.narrow(1, kFirst * kHop, kFrames * kHop)),
            1e-5);
}

TEST(Vocoder, Bfloat16IsCloseToFloat32) {
  const SmallVocoder vocoder;
  const torch::Tensor mel = random_mel(2, 30);

  const torch::Tensor half = vocoder.forward(mel, torch::kBFloat16);

  EXPECT_EQ(half.scalar_type(), torch::kFloat32);
  EXPECT_LE(relative_difference(half, vocoder.forward(mel, torch::kFloat32)), 0.1);
}

TEST(Vocoder, EveryParameterHasAFiniteGradient) {
  for (const torch::ScalarType type : {torch::kFloat32, torch::kBFloat16}) {
    SmallVocoder vocoder;
    vocoder.parameters().gradients().zero_();

    vocoder.forward(random_mel(2, 12), type).square().sum().backward();

    const ParameterSet& parameters = vocoder.parameters();
    for (std::size_t i = 0; i < parameters.names().size(); ++i) {
      const torch::Tensor gradient = parameters.tensors()[i].grad();
      EXPECT_TRUE(gradient.isfinite().all().item<bool>()) << parameters.names()[i];
      EXPECT_GT(gradient.abs().max().item<double>(), 0.0) << parameters.names()[i];
    }
  }
}

TEST(Vocoder, IsFiniteForVeryLoudMels) {
  const SmallVocoder vocoder;

  const torch::Tensor waveform =
      vocoder.forward(torch::full({1, 20, kChannels}, 80.0F), torch::kFloat32);

  EXPECT_TRUE(waveform.isfinite().all().item<bool>());
}

TEST(Vocoder, DiscriminatorParametersComeLastAndChangeNoOthers) {
  Vocoder alone(small_vocoder(), 1);
  Vocoder adversarial(small_vocoder(), 1, /*with_discriminators=*/true);

  const std::int64_t count = alone.parameters().num_elements();
  EXPECT_EQ(alone.discriminators(), nullptr);
  ASSERT_NE(adversarial.discriminators(), nullptr);
  ASSERT_GT(adversarial.parameters().num_elements(), count);
  EXPECT_TRUE(same_bits(adversarial.parameters().values().narrow(0, 0, count),
                        alone.parameters().values()));
  EXPECT_TRUE(adversarial.parameters().names().back().starts_with(WaveformDiscriminators::kPrefix));
}

TEST(Vocoder, RejectsAnInvalidMelSpec) {
  config::ModelConfig config = small_vocoder();
  config.n_mels = 500;

  EXPECT_THROW(Vocoder(config, 1), UsageError);
}

}  // namespace
}  // namespace myxtts::model
