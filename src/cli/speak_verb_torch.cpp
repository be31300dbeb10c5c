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
#include "audio/wav.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/printable.h"
#include "base/terminal.h"
#include "checkpoint/checkpoint_store.h"
#include "cli/answer_style.h"
#include "cli/read_recording.h"
#include "cli/speak_verb.h"
#include "speak/synthesiser_torch.h"
#include "speak/trained_vocoder_torch.h"
#include "speak/vocoder_place.h"
#include "speak/voice_torch.h"
#include "text/front_end.h"

namespace xtts::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMaxReferenceSeconds = 300.0;

torch::Tensor vector_for(const SpeakRequest& request, const speak::Voice& voice) {
  if (!request.reference.empty()) {
    return voice.recording_vector(read_recording(request.reference, kMaxReferenceSeconds));
  }
  return request.speaker.empty() ? voice.first_speaker_vector()
                                 : voice.speaker_vector(request.speaker);
}

std::string speaker_of(const SpeakRequest& request, const speak::Voice& voice) {
  if (!request.reference.empty()) return "";
  return request.speaker.empty() ? voice.speakers().front() : request.speaker;
}

// Empty: Griffin-Lim speaks.
std::unique_ptr<const speak::TrainedVocoder> vocoder_for(const SpeakRequest& request) {
  const std::optional<checkpoint::LoadedCheckpoint> save =
      speak::find_vocoder(request.vocoder, request.checkpoint);
  if (!save) return nullptr;
  auto vocoder = std::make_unique<speak::TrainedVocoder>(*save);
  if (request.in_bf16) vocoder->keep_rounded();
  return vocoder;
}

std::string place_of(const SpeakTask& task) {
  return task.line == 0 ? "the text" : fmt::format("line {}", task.line);
}

// What became of a text beside its sound, for the person who waits for it.
void say_notes(const SpeakTask& task, const speak::Speech& speech) {
  const std::string place = place_of(task);
  if (!speech.dropped.empty())
    base::say("{}: nothing speaks these: {}\n", place, fmt::join(speech.dropped, " "));
  for (const speak::FilteredByLength& piece : speech.left_out)
    base::say("{}: left out '{}': {}\n", place, base::printable(piece.text), piece.fault);
  if (speech.num_dragged > 0) {
    base::say("{}: {} cut to the longest that is allowed; the voice does not know when to end\n",
              place,
              counted(speech.num_dragged, "sentence"));
  }
}

// Recordings were measured over a band that not every mel has.
bool can_be_judged(const audio::MelSpec& contract) {
  return contract.mel_fmin <= audio::kFlatnessLowHz && contract.mel_fmax >= audio::kFlatnessHighHz;
}

SpokenFile write_sound(const SpeakTask& task,
                       const speak::Speech& speech,
                       const audio::MelSpec& contract,
                       double speed,
                       Clock::time_point begin) {
  const int rate = contract.sample_rate;
  base::write_file_atomically(task.out, audio::wav_bytes(speech.samples, rate));
  SpokenFile file{.path = task.out.string(),
                  .audio_s = static_cast<double>(speech.samples.size()) / rate,
                  .wall_s = std::chrono::duration<double>(Clock::now() - begin).count(),
                  .facts = audio::audio_stats(speech.samples, rate, audio::kJudgedSeconds / speed),
                  .like_recordings = {},
                  .dropped = speech.dropped,
                  .left_out = {}};
  for (const speak::FilteredByLength& piece : speech.left_out)
    file.left_out.push_back({.text = piece.text, .fault = piece.fault});
  if (can_be_judged(contract) && file.facts.flatness_db && file.facts.loudness_lufs) {
    const std::string difference = audio::unlike_recordings(file.facts);
    file.like_recordings = difference.empty();
    if (!difference.empty()) base::say("{} is not like a recording: {}\n", file.path, difference);
  }
  return file;
}

}  // namespace

SpeakAnswer speak(const SpeakRequest& request) {
  const checkpoint::LoadedCheckpoint save = checkpoint::find_checkpoint(request.checkpoint);
  speak::Voice voice(save);
  if (request.in_bf16) voice.keep_rounded();
  const torch::Tensor vector = vector_for(request, voice);
  text::TextSettings text_settings = text::text_settings_of(voice.config());
  text_settings.refuse_foreign = false;
  text::FrontEnd front_end(std::move(text_settings));
  front_end.warm_up();
  const std::unique_ptr<const speak::TrainedVocoder> vocoder = vocoder_for(request);
  const speak::Synthesiser synthesiser(
      voice.model(), front_end, voice.contract(), voice.symbols(), vocoder.get());
  const speak::SynthesisSettings settings{
      .speed = request.speed,
      .seed = request.seed,
      .sharpness = request.sharpness,
      .loudness_lufs = request.loudness_lufs,
      .max_piece_characters = speak::piece_characters(voice.config().data.max_text_length),
      .num_workers = request.num_threads,
      .in_bf16 = request.in_bf16};

  SpeakAnswer answer{
      .files = {},
      .unspoken = {},
      .save = save.folder.string(),
      .speaker = speaker_of(request, voice),
      .vocoder = vocoder ? vocoder->folder().string() : std::string(speak::kGriffinLim)};
  const auto on_sound = [&](std::span<const float> samples) {
    request.on_sound(samples, voice.contract().sample_rate);
  };
  for (const SpeakTask& task : request.tasks) {
    base::check_interrupt();
    const Clock::time_point begin = Clock::now();
    const speak::Speech speech =
        request.on_sound ? synthesiser.say_in_parts(task.text, vector, settings, on_sound)
                         : synthesiser.say(task.text, vector, settings);
    say_notes(task, speech);
    if (!speech.fault.empty()) {
      answer.unspoken.push_back(
          {.line = task.line, .fault = speech.fault, .dropped = speech.dropped});
      continue;
    }
    if (request.on_sound) continue;
    answer.files.push_back(write_sound(task, speech, voice.contract(), request.speed, begin));
    if (request.on_file) request.on_file(answer.files.back());
  }
  return answer;
}

}  // namespace xtts::cli
