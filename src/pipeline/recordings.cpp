#include "pipeline/recordings.h"

#include <utility>

#include <fmt/format.h>

#include "audio/mel_contract.h"
#include "audio/prepare.h"

namespace xtts::pipeline {

Recordings::Recordings(const std::filesystem::path& root,
                       const config::Config& config,
                       std::shared_ptr<FeatureCache> cache)
    : root_(std::filesystem::absolute(root)),  // the cache knows files by their paths
      limits_(corpus::recording_limits_of(config.data)),
      extractor_(audio::mel_contract_of(config)),
      cache_(std::move(cache)) {}

RecordedMel Recordings::read(const corpus::Utterance& utterance, MelScratch& scratch) const {
  const std::filesystem::path path = root_ / utterance.audio;
  if (cache_) {
    if (const auto view = cache_->find(path)) return cached(utterance, *view);
  }
  AudioFile file{.path = path, .read = {}, .content = {}, .stamp = {}};
  if (cache_) {
    file = read_audio_file(path, corpus::kMaxAudioBytes);
    if (file.ok()) {
      if (const auto view = cache_->find(file)) return cached(utterance, *view);
    }
  } else {
    file.read = base::read_regular_file(path, corpus::kMaxAudioBytes);
  }
  corpus::Recording recording = corpus::decode_recording(utterance, path, file.read, limits_);
  if (recording.problem) {
    return {.num_frames = 0, .values = {}, .speech_s = 0.0, .problem = recording.problem};
  }
  const audio::MelContract& contract = extractor_.contract();
  const std::vector<float> samples = audio::prepare(recording.sound, contract);
  const double speech_s = static_cast<double>(samples.size()) / contract.sample_rate;
  const std::int64_t num_frames = audio::num_frames(contract, samples.size());
  scratch.values.resize(static_cast<std::size_t>(num_frames * contract.n_mels));
  extractor_.log_mel(samples, scratch.mel, scratch.values);
  if (cache_) {
    const audio::Mel mel{num_frames, contract.n_mels, scratch.values};
    cache_->add(file, mel, {.recording_s = recording.sound.seconds(), .speech_s = speech_s});
  }
  return {.num_frames = num_frames,
          .values = scratch.values,
          .speech_s = speech_s,
          .problem = std::nullopt};
}

// The limits may be other ones than when it was written.
RecordedMel Recordings::cached(const corpus::Utterance& utterance, const MelView& view) const {
  return {.num_frames = view.num_frames,
          .values = view.values,
          .speech_s = view.facts.speech_s,
          .problem = corpus::length_problem(utterance, view.facts.recording_s, limits_)};
}

std::span<const float> RecordedMels::read(std::size_t utterance, MelScratch& scratch) const {
  const RecordedMel mel = recordings_->read(utterances_.at(utterance), scratch);
  if (mel.problem) {
    throw LostUtterance(fmt::format("{}: {}", mel.problem->reason, mel.problem->detail));
  }
  return mel.values;
}

}  // namespace xtts::pipeline
