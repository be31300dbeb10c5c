#include "synthesis/voice_torch.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "audio/loudness.h"
#include "audio/prepare.h"
#include "base/error.h"
#include "base/nearest.h"
#include "checkpoint/tensors_torch.h"
#include "data/augment.h"
#include "data/collator.h"

namespace myxtts::synthesis {
namespace {

constexpr std::int64_t kMaxClips = 8;
constexpr double kMinReferenceSeconds = 0.5;
constexpr float kSilencePeak = 1e-4F;
constexpr std::size_t kMaxListedSpeakers = 30;

VoiceMetadata acoustic_metadata_of(const checkpoint::LoadedCheckpoint& loaded) {
  VoiceMetadata metadata = voice_metadata_of(loaded);
  require(!is_vocoder(metadata),
          "{} is a vocoder, expected the run of a voice; pass the vocoder with --vocoder",
          loaded.folder.string());
  return metadata;
}

// The discriminator is only used in training.
config::ModelConfig without_discriminator(config::ModelConfig model) {
  model.mel_discriminator_channels = 0;
  return model;
}

// Returns "'anna', 'ben'" with at most kMaxListedSpeakers names.
std::string format_names(const std::vector<std::string>& speakers) {
  const std::size_t shown = std::min(speakers.size(), kMaxListedSpeakers);
  std::vector<std::string> quoted;
  for (std::size_t i = 0; i < shown; ++i)
    quoted.push_back(fmt::format("'{}'", speakers[i]));
  const std::string more =
      shown < speakers.size() ? fmt::format(" and {} more", speakers.size() - shown) : "";
  return fmt::format("{}{}", fmt::join(quoted, ", "), more);
}

}  // namespace

torch::Tensor speaker_embedding_of(const model::AcousticModel& model,
                                   const audio::Mel& mel,
                                   std::int64_t reference_frames) {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> clips;
  if (mel.num_frames <= reference_frames) {
    std::vector<float> clip(static_cast<std::size_t>(reference_frames * mel.n_mels));
    data::copy_clip(mel.values, mel.n_mels, /*start=*/0, clip);
    clips.push_back(torch::tensor(clip).view({reference_frames, mel.n_mels}));
  } else {
    const torch::Tensor frames = torch::tensor(mel.values).view({mel.num_frames, mel.n_mels});
    const std::int64_t last_start = mel.num_frames - reference_frames;
    const std::int64_t num_clips =
        std::min(kMaxClips, (mel.num_frames + reference_frames - 1) / reference_frames);
    for (std::int64_t i = 0; i < num_clips; ++i)
      clips.push_back(frames.narrow(0, i * last_start / (num_clips - 1), reference_frames));
  }
  const torch::Device device = model.parameters().tensors().front().device();
  return model.embed_speaker(at::stack(clips).to(device), torch::kFloat32).mean(0);
}

Voice::Voice(const checkpoint::LoadedCheckpoint& loaded)
    : metadata_(acoustic_metadata_of(loaded)),
      symbols_(text::SymbolTable::from_text(metadata_.checkpoint.symbols)),
      model_(without_discriminator(metadata_.config.model),
             static_cast<std::int64_t>(symbols_.size()),
             /*seed=*/0),
      speaker_means_(checkpoint::tensor_of(loaded.model, "speakers.mean")) {
  checkpoint::load_weights(loaded.model, model_.parameters(), /*use_ema=*/true);
  model_.mel_normalisation() = {.mean = static_cast<float>(metadata_.checkpoint.mel_mean),
                                .std = static_cast<float>(metadata_.checkpoint.mel_std)};

  const auto num_speakers = static_cast<std::int64_t>(metadata_.checkpoint.speakers.size());
  const std::int64_t width = metadata_.config.model.speaker_embedding_dim;
  require(num_speakers > 0 && speaker_means_.sizes() == at::IntArrayRef({num_speakers, width}) &&
              speaker_means_.scalar_type() == torch::kFloat32,
          "{}: speakers.mean is [{}], expected one row of {} for each of {} speakers; the "
          "checkpoint was modified, use another one",
          loaded.folder.string(),
          fmt::join(speaker_means_.sizes().vec(), ", "),
          width,
          num_speakers);
}

Voice Voice::load(const std::filesystem::path& run_or_checkpoint) {
  return Voice(checkpoint::find_checkpoint(run_or_checkpoint));
}

torch::Tensor Voice::speaker_embedding(const std::string& name) const {
  const auto found = std::ranges::find(speakers(), name);
  const bool is_unnamed = speakers() == std::vector<std::string>{""};
  require_usage(!is_unnamed || found != speakers().end(),
                "--speaker {}: this model has one unnamed speaker; omit --speaker",
                name);
  require_usage(found != speakers().end(),
                "--speaker {}: unknown speaker; this model has {}{}",
                name,
                format_names(speakers()),
                base::did_you_mean(name, speakers()));
  return speaker_means_[found - speakers().begin()];
}

torch::Tensor Voice::first_speaker_embedding() const {
  return speaker_means_[0];
}

torch::Tensor Voice::embed_recording(const audio::AudioClip& clip) const {
  require_usage(
      metadata_.config.model.use_voice_conditioning,
      "this model was trained with model.use_voice_conditioning: false and has one voice; "
      "omit --reference");
  const std::vector<float> samples = audio::prepare(clip, metadata_.mel_spec);
  require(audio::peak_of(samples) > kSilencePeak,
          "the reference is silent; use a recording of speech");
  const double seconds = static_cast<double>(samples.size()) / metadata_.mel_spec.sample_rate;
  require(seconds >= kMinReferenceSeconds,
          "the reference has {:.2f} s without the silence at its ends, expected at least {} s; use "
          "several seconds of clear speech",
          seconds,
          kMinReferenceSeconds);
  return speaker_embedding_of(model_,
                              audio::ReferenceMel(metadata_.mel_spec).log_mel(samples),
                              data::reference_frames_of(metadata_.config));
}

}  // namespace myxtts::synthesis
