#include "speak/voice_torch.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "audio/loudness.h"
#include "audio/prepare.h"
#include "base/error.h"
#include "base/nearest.h"
#include "checkpoint/save_name.h"
#include "checkpoint/tensors_torch.h"
#include "config/resolve.h"
#include "config/validate.h"
#include "pipeline/chances.h"
#include "pipeline/update_maker.h"

namespace xtts::speak {
namespace {

constexpr std::int64_t kMostClips = 8;
constexpr double kShortestReferenceSeconds = 0.5;
constexpr float kSilentPeak = 1e-4F;
constexpr std::size_t kMostListed = 30;

std::string source_of(const checkpoint::LoadedSave& save) {
  return (save.folder / checkpoint::kConfigFile).string();
}

config::Config config_of(const checkpoint::SaveFacts& facts, const std::string& source) {
  const config::Config config = config::parse_yaml(facts.config_yaml, source).config;
  config::validate(config);
  return config;
}

audio::MelContract contract_of(const config::Config& config,
                               const checkpoint::SaveFacts& facts,
                               const std::string& source) {
  audio::MelContract contract = audio::mel_contract_of(config);
  require(audio::contract_hash(contract) == facts.mel_contract_hash,
          "{}: the model was trained on mels of contract {}, its configuration makes {}; the save "
          "was changed: take another one",
          source,
          facts.mel_contract_hash.substr(0, 12),
          audio::contract_hash(contract).substr(0, 12));
  return contract;
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

Voice::Voice(const checkpoint::LoadedSave& save)
    : facts_(checkpoint::parse_save_facts(save.config_json, source_of(save))),
      config_(config_of(facts_, source_of(save))),
      contract_(contract_of(config_, facts_, source_of(save))),
      symbols_(text::SymbolTable::from_text(facts_.symbols)),
      model_(config_.model, static_cast<std::int64_t>(symbols_.size()), /*seed=*/0),
      speaker_means_(checkpoint::tensor_of(save.model, "speakers.mean")) {
  checkpoint::load_weights(save.model, model_.parameters(), /*averaged=*/true);
  model_.mel_scale() = {.mean = static_cast<float>(facts_.mel_mean),
                        .deviation = static_cast<float>(facts_.mel_deviation)};

  const auto num_speakers = static_cast<std::int64_t>(facts_.speakers.size());
  const std::int64_t width = config_.model.speaker_embedding_dim;
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
  return Voice(checkpoint::find_save(run_or_save));
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
                base::suggestion(name, speakers()));
  return speaker_means_[found - speakers().begin()];
}

torch::Tensor Voice::first_speaker_vector() const {
  return speaker_means_[0];
}

torch::Tensor Voice::recording_vector(const audio::Sound& sound) const {
  require_usage(
      config_.model.use_voice_conditioning,
      "this model was trained with model.use_voice_conditioning: false and has one voice; "
      "leave --reference out");
  const std::vector<float> samples = audio::prepare(sound, contract_);
  require(audio::peak_of(samples) > kSilentPeak,
          "the reference is silent; take a recording in which somebody speaks");
  const double seconds = static_cast<double>(samples.size()) / contract_.sample_rate;
  require(seconds >= kShortestReferenceSeconds,
          "{:.2f} s are left of the reference without the silence around it, at least {} s are "
          "needed; some seconds of clear speech do best",
          seconds,
          kShortestReferenceSeconds);
  return voice_vector(model_,
                      audio::MelExtractor(contract_).log_mel(samples),
                      pipeline::reference_frames_of(config_));
}

}  // namespace xtts::speak
