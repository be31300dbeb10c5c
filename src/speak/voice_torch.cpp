#include "speak/voice_torch.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "audio/loudness.h"
#include "audio/prepare.h"
#include "base/error.h"
#include "base/nearest.h"
#include "checkpoint/tensors_torch.h"
#include "pipeline/augment.h"
#include "pipeline/collator.h"

namespace xtts::speak {
namespace {

constexpr std::int64_t kMostClips = 8;
constexpr double kShortestReferenceSeconds = 0.5;
constexpr float kSilentPeak = 1e-4F;
constexpr std::size_t kMostListed = 30;

VoiceMetadata facts_of_voice(const checkpoint::LoadedCheckpoint& save) {
  VoiceMetadata saved = voice_metadata_of(save);
  require(!is_vocoder(saved),
          "{} is a vocoder and has no voice; name the run of a voice here and this one with "
          "--vocoder",
          save.folder.string());
  return saved;
}

// Nobody is criticised while speaking.
config::ModelConfig without_critic(config::ModelConfig model) {
  model.mel_discriminator_channels = 0;
  return model;
}

// "'anna', 'ben'", at most kMostListed of them.
std::string list_of(const std::vector<std::string>& speakers) {
  const std::size_t shown = std::min(speakers.size(), kMostListed);
  std::vector<std::string> quoted;
  for (std::size_t i = 0; i < shown; ++i)
    quoted.push_back(fmt::format("'{}'", speakers[i]));
  const std::string more =
      shown < speakers.size() ? fmt::format(" and {} more", speakers.size() - shown) : "";
  return fmt::format("{}{}", fmt::join(quoted, ", "), more);
}

}  // namespace

torch::Tensor voice_vector(const model::AcousticModel& model,
                           const audio::Mel& mel,
                           std::int64_t reference_frames) {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> clips;
  if (mel.num_frames <= reference_frames) {
    std::vector<float> clip(static_cast<std::size_t>(reference_frames * mel.n_mels));
    pipeline::copy_clip(mel.values, mel.n_mels, /*start=*/0, clip);
    clips.push_back(torch::tensor(clip).view({reference_frames, mel.n_mels}));
  } else {
    const torch::Tensor frames = torch::tensor(mel.values).view({mel.num_frames, mel.n_mels});
    const std::int64_t last_start = mel.num_frames - reference_frames;
    const std::int64_t num_clips =
        std::min(kMostClips, (mel.num_frames + reference_frames - 1) / reference_frames);
    for (std::int64_t i = 0; i < num_clips; ++i)
      clips.push_back(frames.narrow(0, i * last_start / (num_clips - 1), reference_frames));
  }
  const torch::Device device = model.parameters().tensors().front().device();
  return model.voice_of(at::stack(clips).to(device), torch::kFloat32).mean(0);
}

Voice::Voice(const checkpoint::LoadedCheckpoint& save)
    : saved_(facts_of_voice(save)),
      symbols_(text::SymbolTable::from_text(saved_.facts.symbols)),
      model_(without_critic(saved_.config.model),
             static_cast<std::int64_t>(symbols_.size()),
             /*seed=*/0),
      speaker_means_(checkpoint::tensor_of(save.model, "speakers.mean")) {
  checkpoint::load_weights(save.model, model_.parameters(), /*averaged=*/true);
  model_.mel_scale() = {.mean = static_cast<float>(saved_.facts.mel_mean),
                        .std = static_cast<float>(saved_.facts.mel_std)};

  const auto num_speakers = static_cast<std::int64_t>(saved_.facts.speakers.size());
  const std::int64_t width = saved_.config.model.speaker_embedding_dim;
  require(num_speakers > 0 && speaker_means_.sizes() == at::IntArrayRef({num_speakers, width}) &&
              speaker_means_.scalar_type() == torch::kFloat32,
          "{}: speakers.mean is [{}], expected one row of {} for each of {} speakers; the save was "
          "changed: take another one",
          save.folder.string(),
          fmt::join(speaker_means_.sizes().vec(), ", "),
          width,
          num_speakers);
}

Voice Voice::load(const std::filesystem::path& run_or_save) {
  return Voice(checkpoint::find_checkpoint(run_or_save));
}

torch::Tensor Voice::speaker_vector(const std::string& name) const {
  const auto found = std::ranges::find(speakers(), name);
  const bool nameless = speakers() == std::vector<std::string>{""};
  require_usage(!nameless || found != speakers().end(),
                "--speaker {}: this model has one speaker without a name; leave --speaker out",
                name);
  require_usage(found != speakers().end(),
                "--speaker {}: not a speaker of this model, which has {}{}",
                name,
                list_of(speakers()),
                base::did_you_mean(name, speakers()));
  return speaker_means_[found - speakers().begin()];
}

torch::Tensor Voice::first_speaker_vector() const {
  return speaker_means_[0];
}

torch::Tensor Voice::recording_vector(const audio::AudioClip& sound) const {
  require_usage(
      saved_.config.model.use_voice_conditioning,
      "this model was trained with model.use_voice_conditioning: false and has one voice; "
      "leave --reference out");
  const std::vector<float> samples = audio::prepare(sound, saved_.contract);
  require(audio::peak_of(samples) > kSilentPeak,
          "the reference is silent; take a recording in which somebody speaks");
  const double seconds = static_cast<double>(samples.size()) / saved_.contract.sample_rate;
  require(seconds >= kShortestReferenceSeconds,
          "{:.2f} s are left of the reference without the silence around it, at least {} s are "
          "needed; some seconds of clear speech do best",
          seconds,
          kShortestReferenceSeconds);
  return voice_vector(model_,
                      audio::ReferenceMel(saved_.contract).log_mel(samples),
                      pipeline::reference_frames_of(saved_.config));
}

}  // namespace xtts::speak
