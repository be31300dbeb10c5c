#include "data/recordings.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "audio/mel_spec.h"
#include "audio/prepare.h"

namespace myxtts::data {
namespace {

[[noreturn]] void throw_unreadable(const corpus::Problem& problem) {
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
                       std::shared_ptr<const MelExtractor> extractor)
    : root_(std::filesystem::absolute(root)),  // the cache identifies files by path
      limits_(corpus::recording_limits_of(config.data)),
      extractor_(extractor ? std::move(extractor) : fast_mel_extractor(audio::mel_spec_of(config))),
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
  const audio::AudioClip& clip = scratch.decoded.clip;
  const audio::MelSpec& spec = extractor_->spec();
  const double speech_s = static_cast<double>(clip.samples.size()) / spec.sample_rate;
  const std::int64_t num_frames = audio::num_frames(spec, clip.samples.size());
  const auto size = static_cast<std::size_t>(num_frames * spec.n_mels);
  const bool fits = !cache_ && scratch.destination.size() >= size;
  if (!fits) scratch.values.resize(size);
  const std::span<float> mel = fits ? scratch.destination.first(size) : std::span(scratch.values);
  extractor_->log_mel(clip.samples, scratch, mel);
  if (cache_) {
    const audio::Mel added{num_frames, spec.n_mels, scratch.values};
    cache_->add(file, added, {.recording_s = recording_s, .speech_s = speech_s});
  }
  return {.num_frames = num_frames,
          .values = mel,
          .samples = clip.samples,
          .speech_s = speech_s,
          .problem = std::nullopt};
}

RecordedWaveform Recordings::read_waveform(const corpus::Utterance& utterance,
                                           const std::filesystem::path& path,
                                           MelScratch& scratch) const {
  base::read_regular_file(path, corpus::kMaxAudioBytes, scratch.file.read);
  auto [recording_s, problem] = prepare_file(utterance, path, scratch);
  if (problem) return {.samples = {}, .problem = std::move(problem)};
  return {.samples = scratch.decoded.clip.samples, .problem = std::nullopt};
}

// Decodes and prepares the file in the scratch.
Recordings::Prepared Recordings::prepare_file(const corpus::Utterance& utterance,
                                              const std::filesystem::path& path,
                                              MelScratch& scratch) const {
  if (auto problem =
          corpus::decode_recording(utterance, path, scratch.file.read, limits_, scratch.decoded)) {
    return {.recording_s = 0.0, .problem = std::move(problem)};
  }
  audio::AudioClip& clip = scratch.decoded.clip;
  const double recording_s = clip.seconds();
  audio::prepare(clip.samples, clip.sample_rate, extractor_->spec(), scratch.prepare);
  return {.recording_s = recording_s, .problem = std::nullopt};
}

// Checks the length again: the limits may differ from those of the run that wrote the mel.
RecordedMel Recordings::cached(const corpus::Utterance& utterance, const MelView& view) const {
  return {.num_frames = view.num_frames,
          .values = view.values,
          .samples = {},
          .speech_s = view.durations.speech_s,
          .problem = corpus::length_problem(utterance, view.durations.recording_s, limits_)};
}

RecordedMels::RecordedMels(std::shared_ptr<const Recordings> recordings,
                           std::vector<corpus::Utterance> utterances)
    : recordings_(std::move(recordings)),
      utterances_(std::move(utterances)),
      paths_(paths_of(*recordings_, utterances_)) {}

std::span<const float> RecordedMels::read(std::size_t utterance, MelScratch& scratch) const {
  const RecordedMel mel =
      recordings_->read(utterances_.at(utterance), paths_.at(utterance), scratch);
  if (mel.problem) throw_unreadable(*mel.problem);
  return mel.values;
}

RecordedWaveforms::RecordedWaveforms(std::shared_ptr<const Recordings> recordings,
                                     std::vector<corpus::Utterance> utterances)
    : recordings_(std::move(recordings)),
      utterances_(std::move(utterances)),
      paths_(paths_of(*recordings_, utterances_)) {}

std::int64_t RecordedWaveforms::copy(std::size_t utterance,
                                     std::int64_t start,
                                     std::span<float> samples,
                                     MelScratch& scratch) const {
  const RecordedWaveform waveform =
      recordings_->read_waveform(utterances_.at(utterance), paths_.at(utterance), scratch);
  if (waveform.problem) throw_unreadable(*waveform.problem);
  const auto from = std::min(static_cast<std::size_t>(start), waveform.samples.size());
  const auto piece =
      waveform.samples.subspan(from, std::min(samples.size(), waveform.samples.size() - from));
  const auto end = std::ranges::transform(piece, samples.begin(), [](float sample) {
                     return from_16_bits(to_16_bits(sample));
                   }).out;
  std::fill(end, samples.end(), 0.0F);
  return std::ssize(waveform.samples);
}

}  // namespace myxtts::data
