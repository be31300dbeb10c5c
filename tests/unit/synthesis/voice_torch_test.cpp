#include "synthesis/voice_torch.h"

#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "audio/prepare.h"
#include "base/error.h"
#include "data/batch_sampler.h"
#include "small_voice_torch.h"
#include "support/temp_dir.h"

namespace myxtts::synthesis {
namespace {

// Returns a rising tone at another sample rate than that of the mel spec.
audio::AudioClip gliding_tone(double seconds) {
  audio::AudioClip clip{
      .sample_rate = 16000, .num_channels = 1, .format = "generated", .samples = {}};
  for (int i = 0; i < static_cast<int>(seconds * clip.sample_rate); ++i) {
    const double t = static_cast<double>(i) / clip.sample_rate;
    clip.samples.push_back(static_cast<float>(0.3 * std::sin(900.0 * t * (1.0 + 0.5 * t))));
  }
  return clip;
}

std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return std::string("usage: ") + error.what();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

std::string refusal_of(SmallVoice& small) {
  const support::TempDir run;
  small.write(run.path());
  return refusal_of([&] { Voice::load(run.path()); });
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Voice, LoadsTheSavedModel) {
  const support::TempDir run;
  SmallVoice small;
  small.write(run.path());

  const Voice voice = Voice::load(run.path());

  const torch::NoGradGuard no_grad;
  const torch::Tensor text = torch::arange(20, 60, torch::kInt64);
  EXPECT_TRUE(voice.model()
                  .infer(text, voice.speaker_embedding("ben"))
                  .mel.equal(small.model.infer(text, small.speaker_means[1]).mel));
  EXPECT_TRUE(voice.first_speaker_embedding().equal(small.speaker_means[0]));
  EXPECT_EQ(voice.metadata().step, 12);
}

TEST(Voice, UsesTheEmaWeights) {
  const support::TempDir run;
  SmallVoice small;
  small.ema.fill_(0.125F);
  small.write(run.path());

  const Voice voice = Voice::load(run.path());

  EXPECT_TRUE(voice.model().parameters().tensors().front().eq(0.125F).all().item<bool>());
}

TEST(Voice, SuggestsTheNearestNameForAnUnknownSpeaker) {
  const support::TempDir run;
  SmallVoice().write(run.path());
  const Voice voice = Voice::load(run.path());

  const std::string refusal = refusal_of([&] { voice.speaker_embedding("ana"); });

  EXPECT_EQ(refusal,
            "usage: --speaker ana: unknown speaker; this model has 'anna', 'ben'; did you mean "
            "'anna'?");
}

TEST(Voice, AnUnnamedSpeakerNeedsNoName) {
  const support::TempDir run;
  SmallVoice small;
  small.metadata.speakers = {""};
  small.speaker_means = small.speaker_means.narrow(0, 0, 1).contiguous();
  small.write(run.path());
  const Voice voice = Voice::load(run.path());

  EXPECT_TRUE(has(refusal_of([&] { voice.speaker_embedding("anna"); }), "omit --speaker"));
  EXPECT_EQ(voice.first_speaker_embedding().size(0), 8);
}

TEST(Voice, EmbedsARecordingAsTheMeanOfSeveralClips) {
  const support::TempDir run;
  SmallVoice().write(run.path());
  const Voice voice = Voice::load(run.path());
  const audio::AudioClip clip = gliding_tone(10.0);
  const std::int64_t frames = data::reference_frames_of(voice.config());
  ASSERT_EQ(frames, 258);

  const torch::Tensor embedding = voice.embed_recording(clip);

  const audio::Mel mel =
      audio::ReferenceMel(voice.mel_spec()).log_mel(audio::prepare(clip, voice.mel_spec()));
  const torch::NoGradGuard no_grad;
  const torch::Tensor all = torch::tensor(mel.values).view({mel.num_frames, mel.n_mels});
  torch::Tensor sum = torch::zeros({voice.config().model.speaker_embedding_dim});
  for (const std::int64_t i : {0, 1, 2, 3}) {
    const std::int64_t start = i * (mel.num_frames - frames) / 3;
    sum +=
        voice.model().embed_speaker(all.narrow(0, start, frames).unsqueeze(0), torch::kFloat32)[0];
  }
  EXPECT_TRUE(at::allclose(embedding, sum / 4, 1e-4, 1e-5));
  EXPECT_FALSE(at::allclose(embedding, voice.embed_recording(gliding_tone(1.0)), 1e-4, 1e-5));
}

TEST(Voice, RejectsASilentOrShortRecording) {
  const support::TempDir run;
  SmallVoice().write(run.path());
  const Voice voice = Voice::load(run.path());
  audio::AudioClip silence = gliding_tone(4.0);
  silence.samples.assign(silence.samples.size(), 0.0F);

  EXPECT_TRUE(has(refusal_of([&] { voice.embed_recording(silence); }), "silent"));
  EXPECT_TRUE(has(refusal_of([&] { voice.embed_recording(gliding_tone(0.2)); }), "at least 0.5 s"));
}

TEST(Voice, AModelWithoutAVoiceEncoderRejectsAReference) {
  const support::TempDir run;
  config::Config config = small_config();
  config.model.use_voice_conditioning = false;
  SmallVoice(config).write(run.path());
  const Voice voice = Voice::load(run.path());

  EXPECT_TRUE(has(refusal_of([&] { voice.embed_recording(gliding_tone(4.0)); }),
                  "usage: this model was trained with model.use_voice_conditioning: false"));
}

TEST(Voice, RejectsAnInconsistentCheckpoint) {
  SmallVoice other_mel_spec;
  other_mel_spec.metadata.mel_spec_fingerprint[0] ^= 1;
  EXPECT_TRUE(has(refusal_of(other_mel_spec), "mel spec"));

  SmallVoice third_speaker;
  third_speaker.metadata.speakers.emplace_back("carl");
  EXPECT_TRUE(has(refusal_of(third_speaker), "each of 3 speakers"));

  SmallVoice wider;
  wider.config.model.decoder_dim = 24;
  wider.metadata.config_yaml = config::write_yaml(wider.config);
  EXPECT_TRUE(has(refusal_of(wider), "use the model settings of the checkpoint"));
}

}  // namespace
}  // namespace myxtts::synthesis
