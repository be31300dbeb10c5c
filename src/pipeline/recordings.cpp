#include "pipeline/recordings.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "audio/mel_spec.h"
#include "audio/prepare.h"

namespace xtts::pipeline {
namespace {

[[noreturn]] void throw_lost(const corpus::Problem& problem) {
  throw UnreadableUtterance(fmt::format("{}: {}", problem.reason, problem.detail));
}

std::vector<std::filesystem::path> paths_of(const Recordings& recordings,
                                            const std::vector<corpus::Utterance>& utterances) {
  std::vector<std::filesystem::path> paths;
  for (const corpus::Utterance& utterance : utterances)
    paths.push_back(recordings.path_of(utterance));
  return paths;
}

}  // namespace

Recordings::Recordings(const std::filesystem::path& root,
                       const config::Config& config,
                       std::shared_ptr<FeatureCache> cache,
                       std::shared_ptr<const MelExtractor> maker)
    : root_(std::filesystem::absolute(root)),  // the cache knows files by their paths
      limits_(corpus::recording_limits_of(config.data)),
      maker_(maker ? std::move(maker) : fast_mel_extractor(audio::mel_spec_of(config))),
      cache_(std::move(cache)) {}

std::filesystem::path Recordings::path_of(const corpus::Utterance& utterance) const {
  return root_ / utterance.audio;
}

RecordedMel Recordings::read(const corpus::Utterance& utterance,
                             const std::filesystem::path& path,
                             MelScratch& scratch) const {
  AudioFile& file = scratch.file;
  if (cache_) {
    if (const auto view = cache_->find(path)) return cached(utterance, *view);
    read_audio_file(path, corpus::kMaxAudioBytes, file);
    if (file.ok()) {
      if (const auto view = cache_->find(file)) return cached(utterance, *view);
    }
  } else {
    base::read_regular_file(path, corpus::kMaxAudioBytes, file.read);
  }
  const auto [recording_s, problem] = prepare_file(utterance, path, scratch);
  if (problem) {
    return {.num_frames = 0, .values = {}, .samples = {}, .speech_s = 0.0, .problem = problem};
  }
  const audio::AudioClip& sound = scratch.decoded.sound;
  const audio::MelSpec& contract = maker_->contract();
  const double speech_s = static_cast<double>(sound.samples.size()) / contract.sample_rate;
  const std::int64_t num_frames = audio::num_frames(contract, sound.samples.size());
  const auto size = static_cast<std::size_t>(num_frames * contract.n_mels);
  const bool has_place = !cache_ && scratch.place.size() >= size;
  if (!has_place) scratch.values.resize(size);
  const std::span<float> mel = has_place ? scratch.place.first(size) : std::span(scratch.values);
  maker_->log_mel(sound.samples, scratch, mel);
  if (cache_) {
    const audio::Mel added{num_frames, contract.n_mels, scratch.values};
    cache_->add(file, added, {.recording_s = recording_s, .speech_s = speech_s});
  }
  return {.num_frames = num_frames,
          .values = mel,
          .samples = sound.samples,
          .speech_s = speech_s,
          .problem = std::nullopt};
}

RecordedWaveform Recordings::read_sound(const corpus::Utterance& utterance,
                                        const std::filesystem::path& path,
                                        MelScratch& scratch) const {
  base::read_regular_file(path, corpus::kMaxAudioBytes, scratch.file.read);
  auto [recording_s, problem] = prepare_file(utterance, path, scratch);
  if (problem) return {.samples = {}, .problem = std::move(problem)};
  return {.samples = scratch.decoded.sound.samples, .problem = std::nullopt};
}

// The file that was read, decoded and prepared in the scratch.
Recordings::Prepared Recordings::prepare_file(const corpus::Utterance& utterance,
                                              const std::filesystem::path& path,
                                              MelScratch& scratch) const {
  if (auto problem =
          corpus::decode_recording(utterance, path, scratch.file.read, limits_, scratch.decoded)) {
    return {.recording_s = 0.0, .problem = std::move(problem)};
  }
  audio::AudioClip& sound = scratch.decoded.sound;
  const double recording_s = sound.seconds();
  audio::prepare(sound.samples, sound.sample_rate, maker_->contract(), scratch.prepare);
  return {.recording_s = recording_s, .problem = std::nullopt};
}

// The limits may be other ones than when it was written.
RecordedMel Recordings::cached(const corpus::Utterance& utterance, const MelView& view) const {
  return {.num_frames = view.num_frames,
          .values = view.values,
          .samples = {},
          .speech_s = view.facts.speech_s,
          .problem = corpus::length_problem(utterance, view.facts.recording_s, limits_)};
}

RecordedMels::RecordedMels(std::shared_ptr<const Recordings> recordings,
                           std::vector<corpus::Utterance> utterances)
    : recordings_(std::move(recordings)),
      utterances_(std::move(utterances)),
      paths_(paths_of(*recordings_, utterances_)) {}

std::span<const float> RecordedMels::read(std::size_t utterance, MelScratch& scratch) const {
  const RecordedMel mel =
      recordings_->read(utterances_.at(utterance), paths_.at(utterance), scratch);
  if (mel.problem) throw_lost(*mel.problem);
  return mel.values;
}

RecordedWaveforms::RecordedWaveforms(std::shared_ptr<const Recordings> recordings,
                                     std::vector<corpus::Utterance> utterances)
    : recordings_(std::move(recordings)),
      utterances_(std::move(utterances)),
      paths_(paths_of(*recordings_, utterances_)) {}

std::int64_t RecordedWaveforms::copy(std::size_t utterance,
                                     std::int64_t start,
                                     std::span<float> place,
                                     MelScratch& scratch) const {
  const RecordedWaveform sound =
      recordings_->read_sound(utterances_.at(utterance), paths_.at(utterance), scratch);
  if (sound.problem) throw_lost(*sound.problem);
  const auto from = std::min(static_cast<std::size_t>(start), sound.samples.size());
  const auto piece =
      sound.samples.subspan(from, std::min(place.size(), sound.samples.size() - from));
  const auto end = std::ranges::transform(piece, place.begin(), [](float sample) {
                     return from_16_bits(to_16_bits(sample));
                   }).out;
  std::fill(end, place.end(), 0.0F);
  return std::ssize(sound.samples);
}

}  // namespace xtts::pipeline
