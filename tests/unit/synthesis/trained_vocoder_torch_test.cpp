#include "synthesis/trained_vocoder_torch.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "small_vocoder_torch.h"
#include "support/temp_dir.h"
#include "synthesis/voice_torch.h"

namespace myxtts::synthesis {
namespace {

template <typename Call>
std::string vocoder_refusal(const Call& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(TrainedVocoder, LoadsTheSavedModel) {
  const support::TempDir run;
  SmallVocoder small;
  small.write(run.path());
  const audio::Mel mel = some_mel(30);

  const TrainedVocoder vocoder = TrainedVocoder::load(run.path());
  const std::vector<float> waveform = vocoder.waveform_of(mel);

  const torch::NoGradGuard no_grad;
  const torch::Tensor expected = small.model.forward(
      torch::tensor(mel.values).view({1, mel.num_frames, mel.n_mels}), torch::kFloat32)[0];
  EXPECT_EQ(waveform.size(), 29U * 256U);
  EXPECT_TRUE(torch::tensor(waveform).equal(expected));
  EXPECT_EQ(vocoder.folder().filename(), "step_00000021");
}

TEST(TrainedVocoder, UsesTheEmaWeights) {
  const support::TempDir run;
  SmallVocoder small;
  small.ema.mul_(0.5F);
  small.write(run.path());
  const audio::Mel mel = some_mel(10);

  const std::vector<float> waveform = TrainedVocoder::load(run.path()).waveform_of(mel);

  const torch::NoGradGuard no_grad;
  small.model.parameters().values().mul_(0.5F);
  EXPECT_TRUE(torch::tensor(waveform).equal(small.model.forward(
      torch::tensor(mel.values).view({1, mel.num_frames, mel.n_mels}), torch::kFloat32)[0]));
}

TEST(TrainedVocoder, Bf16IsCloseToFp32) {
  const support::TempDir run;
  SmallVocoder().write(run.path());
  TrainedVocoder vocoder = TrainedVocoder::load(run.path());
  const audio::Mel mel = some_mel(40);

  const torch::Tensor fp32 = torch::tensor(vocoder.waveform_of(mel));
  const torch::Tensor bf16 = torch::tensor(vocoder.waveform_of(mel, torch::kBFloat16));
  vocoder.cache_bf16_weights();

  EXPECT_TRUE(torch::tensor(vocoder.waveform_of(mel)).equal(fp32));
  EXPECT_TRUE(torch::tensor(vocoder.waveform_of(mel, torch::kBFloat16)).equal(bf16));

  ASSERT_EQ(bf16.numel(), fp32.numel());
  const double share = ((bf16 - fp32).norm() / fp32.norm()).item<double>();
  EXPECT_GT(share, 0.0);
  EXPECT_LT(share, 0.1);
}

TEST(TrainedVocoder, RangesJoinedEqualTheWholeWaveform) {
  const support::TempDir run;
  SmallVocoder().write(run.path());
  const TrainedVocoder vocoder = TrainedVocoder::load(run.path());
  const audio::Mel mel = some_mel(90);

  std::vector<float> joined;
  for (std::int64_t begin = 0; begin < 89; begin += 17) {
    const std::vector<float> range =
        vocoder.waveform_range(mel, begin, std::min<std::int64_t>(begin + 17, 89));
    joined.insert(joined.end(), range.begin(), range.end());
  }

  const std::vector<float> whole = vocoder.waveform_of(mel);
  ASSERT_EQ(joined.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i)
    ASSERT_NEAR(joined[i], whole[i], 1e-5) << i;
}

TEST(TrainedVocoder, AtMostOneFrameGivesNoSamples) {
  const support::TempDir run;
  SmallVocoder().write(run.path());
  const TrainedVocoder vocoder = TrainedVocoder::load(run.path());

  EXPECT_TRUE(vocoder.waveform_of(some_mel(1)).empty());
  EXPECT_TRUE(vocoder.waveform_of(some_mel(0)).empty());
}

TEST(TrainedVocoder, RejectsAnotherMelSpec) {
  const support::TempDir run;
  SmallVocoder().write(run.path());
  const TrainedVocoder vocoder = TrainedVocoder::load(run.path());
  audio::MelSpec other = vocoder.mel_spec();
  vocoder.require_mel_spec(other);
  other.target_loudness_lufs = -20.0;

  const std::string refusal = vocoder_refusal([&] { vocoder.require_mel_spec(other); });

  EXPECT_NE(refusal.find(audio::mel_fingerprint(vocoder.mel_spec()).substr(0, 12)),
            std::string::npos);
  EXPECT_NE(refusal.find(audio::mel_fingerprint(other).substr(0, 12)), std::string::npos);
  EXPECT_NE(refusal.find("train a vocoder with the configuration of the voice"), std::string::npos);
}

TEST(TrainedVocoder, VoicesAndVocodersAreNotInterchangeable) {
  const support::TempDir voice;
  SmallVoice().write(voice.path());
  const support::TempDir vocoder;
  SmallVocoder().write(vocoder.path());

  EXPECT_NE(vocoder_refusal([&] { TrainedVocoder::load(voice.path()); }).find("is not a vocoder"),
            std::string::npos);
  EXPECT_NE(vocoder_refusal([&] { Voice::load(vocoder.path()); }).find("is a vocoder"),
            std::string::npos);
}

TEST(TrainedVocoder, RejectsAnInconsistentCheckpoint) {
  const support::TempDir run;
  SmallVocoder wider;
  wider.config.model.vocoder_initial_channel = 24;
  wider.metadata.config_yaml = config::write_yaml(wider.config);
  wider.write(run.path());

  EXPECT_NE(vocoder_refusal([&] { TrainedVocoder::load(run.path()); }), "");
}

TEST(TrainedVocoder, RejectsSamplesThatAreNotFinite) {
  const support::TempDir run;
  SmallVocoder small;
  small.ema.fill_(std::numeric_limits<float>::quiet_NaN());
  small.write(run.path());
  const TrainedVocoder vocoder = TrainedVocoder::load(run.path());

  EXPECT_NE(vocoder_refusal([&] { vocoder.waveform_of(some_mel(5)); }).find("not finite"),
            std::string::npos);
}

}  // namespace
}  // namespace myxtts::synthesis
