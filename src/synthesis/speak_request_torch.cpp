#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/ranges.h>

#include "audio/audio_stats.h"
#include "audio/flatness.h"
#include "audio/read_recording.h"
#include "audio/wav.h"
#include "base/files.h"
#include "base/format.h"
#include "base/interrupt.h"
#include "base/printable.h"
#include "base/terminal.h"
#include "checkpoint/checkpoint_store.h"
#include "synthesis/find_vocoder.h"
#include "synthesis/speak_request.h"
#include "synthesis/synthesiser_torch.h"
#include "synthesis/trained_vocoder_torch.h"
#include "synthesis/voice_torch.h"
#include "text/front_end.h"

namespace myxtts::synthesis {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMaxReferenceSeconds = 300.0;

torch::Tensor embedding_for(const SpeakRequest& request, const synthesis::Voice& voice) {
  if (!request.reference.empty()) {
    return voice.embed_recording(audio::read_recording(request.reference, kMaxReferenceSeconds));
  }
  return request.speaker.empty() ? voice.first_speaker_embedding()
                                 : voice.speaker_embedding(request.speaker);
}

std::string speaker_of(const SpeakRequest& request, const synthesis::Voice& voice) {
  if (!request.reference.empty()) return "";
  return request.speaker.empty() ? voice.speakers().front() : request.speaker;
}

// Returns null for Griffin-Lim.
std::unique_ptr<const synthesis::TrainedVocoder> vocoder_for(const SpeakRequest& request) {
  const std::optional<checkpoint::LoadedCheckpoint> checkpoint =
      synthesis::find_vocoder(request.vocoder, request.checkpoint);
  if (!checkpoint) return nullptr;
  auto vocoder = std::make_unique<synthesis::TrainedVocoder>(*checkpoint);
  if (request.in_bf16) vocoder->cache_bf16_weights();
  return vocoder;
}

std::string location_of(const SpeakTask& task) {
  return task.line == 0 ? "the text" : fmt::format("line {}", task.line);
}

// Logs dropped characters, skipped sentences and cut durations of a text.
void log_notes(const SpeakTask& task, const synthesis::Speech& speech) {
  const std::string location = location_of(task);
  if (!speech.dropped.empty())
    base::log("{}: characters without a symbol are dropped: {}\n",
              location,
              fmt::join(speech.dropped, " "));
  for (const synthesis::SkippedText& piece : speech.skipped)
    base::log("{}: skipped '{}': {}\n", location, base::printable(piece.text), piece.fault);
  if (speech.num_at_duration_limit > 0) {
    base::log("{}: {} cut at the maximum duration; the predicted durations are too long\n",
              location,
              base::format_count(speech.num_at_duration_limit, "sentence"));
  }
}

// Whether the mel spec covers the band in which recordings were measured.
bool covers_measured_band(const audio::MelSpec& mel_spec) {
  return mel_spec.mel_fmin <= audio::kFlatnessLowHz && mel_spec.mel_fmax >= audio::kFlatnessHighHz;
}

SpokenFile write_speech(const SpeakTask& task,
                        const synthesis::Speech& speech,
                        const audio::MelSpec& mel_spec,
                        double speed,
                        Clock::time_point begin) {
  const int rate = mel_spec.sample_rate;
  base::write_file_atomically(task.out, audio::wav_bytes(speech.samples, rate));
  SpokenFile file{
      .path = task.out.string(),
      .audio_s = static_cast<double>(speech.samples.size()) / rate,
      .wall_s = std::chrono::duration<double>(Clock::now() - begin).count(),
      .stats = audio::audio_stats(speech.samples, rate, audio::kMinMeasuredSeconds / speed),
      .like_recordings = {},
      .dropped = speech.dropped,
      .skipped = {}};
  for (const synthesis::SkippedText& piece : speech.skipped)
    file.skipped.push_back({.text = piece.text, .fault = piece.fault});
  if (covers_measured_band(mel_spec) && file.stats.flatness_db && file.stats.loudness_lufs) {
    const std::string difference = audio::find_speech_fault(file.stats);
    file.like_recordings = difference.empty();
    if (!difference.empty()) base::log("{} is unlike recorded speech: {}\n", file.path, difference);
  }
  return file;
}

}  // namespace

SpeakResult speak(const SpeakRequest& request) {
  const checkpoint::LoadedCheckpoint loaded = checkpoint::find_checkpoint(request.checkpoint);
  synthesis::Voice voice(loaded);
  if (request.in_bf16) voice.cache_bf16_weights();
  const torch::Tensor embedding = embedding_for(request, voice);
  text::TextSettings text_settings = text::text_settings_of(voice.config());
  text_settings.refuse_foreign = false;
  text::FrontEnd front_end(std::move(text_settings));
  front_end.warm_up();
  const std::unique_ptr<const synthesis::TrainedVocoder> vocoder = vocoder_for(request);
  const synthesis::Synthesiser synthesiser(
      voice.model(), front_end, voice.mel_spec(), voice.symbols(), vocoder.get());
  const synthesis::SynthesisSettings settings{
      .speed = request.speed,
      .seed = request.seed,
      .postfilter = request.postfilter,
      .loudness_lufs = request.loudness_lufs,
      .max_piece_characters =
          synthesis::max_characters_per_piece(voice.config().data.max_text_length),
      .num_workers = request.num_threads,
      .in_bf16 = request.in_bf16};

  SpeakResult result{
      .files = {},
      .unspoken = {},
      .checkpoint = loaded.folder.string(),
      .speaker = speaker_of(request, voice),
      .vocoder = vocoder ? vocoder->folder().string() : std::string(synthesis::kGriffinLim)};
  const auto on_samples = [&](std::span<const float> samples) {
    request.on_samples(samples, voice.mel_spec().sample_rate);
  };
  for (const SpeakTask& task : request.tasks) {
    base::check_interrupt();
    const Clock::time_point begin = Clock::now();
    const synthesis::Speech speech =
        request.on_samples ? synthesiser.stream(task.text, embedding, settings, on_samples)
                           : synthesiser.synthesise(task.text, embedding, settings);
    log_notes(task, speech);
    if (!speech.fault.empty()) {
      result.unspoken.push_back(
          {.line = task.line, .fault = speech.fault, .dropped = speech.dropped});
      continue;
    }
    if (request.on_samples) continue;
    result.files.push_back(write_speech(task, speech, voice.mel_spec(), request.speed, begin));
    if (request.on_file) request.on_file(result.files.back());
  }
  return result;
}

}  // namespace myxtts::synthesis
