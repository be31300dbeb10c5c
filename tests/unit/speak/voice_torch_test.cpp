#include "speak/voice_torch.h"

#include <cmath>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "audio/prepare.h"
#include "base/error.h"
#include "pipeline/batch_sampler.h"
#include "small_voice_torch.h"
#include "support/temp_dir.h"

namespace xtts::speak {
namespace {

// A tone that glides up, at another rate than the contract's.
audio::AudioClip gliding_tone(double seconds) {
  audio::AudioClip sound{.sample_rate = 16000, .num_channels = 1, .format = "made", .samples = {}};
  for (int i = 0; i < static_cast<int>(seconds * sound.sample_rate); ++i) {
    const double t = static_cast<double>(i) / sound.sample_rate;
    sound.samples.push_back(static_cast<float>(0.3 * std::sin(900.0 * t * (1.0 + 0.5 * t))));
  }
  return sound;
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

TEST(Voice, IsTheModelThatWasSaved) {
  const support::TempDir run;
  SmallVoice small;
  small.write(run.path());

  const Voice voice = Voice::load(run.path());

  const torch::NoGradGuard no_grad;
  const torch::Tensor text = torch::arange(20, 60, torch::kInt64);
  EXPECT_TRUE(voice.model()
                  .speak(text, voice.speaker_vector("ben"))
                  .equal(small.model.speak(text, small.speaker_means[1])));
  EXPECT_TRUE(voice.first_speaker_vector().equal(small.speaker_means[0]));
  EXPECT_EQ(voice.facts().step, 12);
}

TEST(Voice, SpeaksWithTheAveragedWeights) {
  const support::TempDir run;
  SmallVoice small;
  small.average.fill_(0.125F);
  small.write(run.path());

  const Voice voice = Voice::load(run.path());

  EXPECT_TRUE(voice.model().parameters().tensors().front().eq(0.125F).all().item<bool>());
}

TEST(Voice, AnUnknownSpeakerIsAnsweredWithTheNearest) {
  const support::TempDir run;
  SmallVoice().write(run.path());
  const Voice voice = Voice::load(run.path());

  const std::string refusal = refusal_of([&] { voice.speaker_vector("ana"); });

  EXPECT_EQ(refusal,
            "usage: --speaker ana: not a speaker of this model, which has 'anna', 'ben'; did you "
            "mean 'anna'?");
}

TEST(Voice, ASpeakerWithoutANameNeedsNone) {
  const support::TempDir run;
  SmallVoice small;
  small.facts.speakers = {""};
  small.speaker_means = small.speaker_means.narrow(0, 0, 1).contiguous();
  small.write(run.path());
  const Voice voice = Voice::load(run.path());

  EXPECT_TRUE(has(refusal_of([&] { voice.speaker_vector("anna"); }), "leave --speaker out"));
  EXPECT_EQ(voice.first_speaker_vector().size(0), 8);
}

TEST(Voice, ARecordingIsHeardInSeveralClips) {
  const support::TempDir run;
  SmallVoice().write(run.path());
  const Voice voice = Voice::load(run.path());
  const audio::AudioClip sound = gliding_tone(10.0);
  const std::int64_t frames = pipeline::reference_frames_of(voice.config());
  ASSERT_EQ(frames, 258);

  const torch::Tensor vector = voice.recording_vector(sound);

  const audio::Mel mel =
      audio::ReferenceMel(voice.contract()).log_mel(audio::prepare(sound, voice.contract()));
  const torch::NoGradGuard no_grad;
  const torch::Tensor all = torch::tensor(mel.values).view({mel.num_frames, mel.n_mels});
  torch::Tensor sum = torch::zeros({voice.config().model.speaker_embedding_dim});
  for (const std::int64_t i : {0, 1, 2, 3}) {
    const std::int64_t start = i * (mel.num_frames - frames) / 3;
    sum += voice.model().voice_of(all.narrow(0, start, frames).unsqueeze(0), torch::kFloat32)[0];
  }
  EXPECT_TRUE(at::allclose(vector, sum / 4, 1e-4, 1e-5));
  EXPECT_FALSE(at::allclose(vector, voice.recording_vector(gliding_tone(1.0)), 1e-4, 1e-5));
}

TEST(Voice, ARecordingWithoutAVoiceIsRefused) {
  const support::TempDir run;
  SmallVoice().write(run.path());
  const Voice voice = Voice::load(run.path());
  audio::AudioClip silence = gliding_tone(4.0);
  silence.samples.assign(silence.samples.size(), 0.0F);

  EXPECT_TRUE(has(refusal_of([&] { voice.recording_vector(silence); }), "silent"));
  EXPECT_TRUE(
      has(refusal_of([&] { voice.recording_vector(gliding_tone(0.2)); }), "at least 0.5 s"));
}

TEST(Voice, AModelWithoutAVoiceEncoderTakesNoReference) {
  const support::TempDir run;
  config::Config config = small_config();
  config.model.use_voice_conditioning = false;
  SmallVoice(config).write(run.path());
  const Voice voice = Voice::load(run.path());

  EXPECT_TRUE(has(refusal_of([&] { voice.recording_vector(gliding_tone(4.0)); }),
                  "usage: this model was trained with model.use_voice_conditioning: false"));
}

TEST(Voice, ASaveThatContradictsItselfIsRefused) {
  SmallVoice other_contract;
  other_contract.facts.mel_spec_fingerprint[0] ^= 1;
  EXPECT_TRUE(has(refusal_of(other_contract), "contract"));

  SmallVoice third_speaker;
  third_speaker.facts.speakers.emplace_back("carl");
  EXPECT_TRUE(has(refusal_of(third_speaker), "each of 3 speakers"));

  SmallVoice wider;
  wider.config.model.decoder_dim = 24;
  wider.facts.config_yaml = config::write_yaml(wider.config);
  EXPECT_TRUE(has(refusal_of(wider), "of another model"));
}

}  // namespace
}  // namespace xtts::speak
