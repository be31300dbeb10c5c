#include <algorithm>
#include <chrono>
#include <cstddef>

#include <fmt/ranges.h>

#include "audio/wav.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/terminal.h"
#include "checkpoint/save_store.h"
#include "cli/read_recording.h"
#include "cli/speak_verb.h"
#include "speak/synthesiser_torch.h"
#include "speak/voice_torch.h"
#include "text/front_end.h"

namespace xtts::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMaxReferenceSeconds = 300.0;
constexpr int kMostPieceCharacters = 160;

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

std::string place_of(const SpeakTask& task) {
  return task.line == 0 ? "the text" : fmt::format("line {}", task.line);
}

SpokenFile write_sound(const SpeakTask& task,
                       const speak::Speech& speech,
                       int sample_rate,
                       Clock::time_point begin) {
  base::write_file_atomically(task.out, audio::wav_bytes(speech.samples, sample_rate));
  return {.path = task.out.string(),
          .audio_s = static_cast<double>(speech.samples.size()) / sample_rate,
          .wall_s = std::chrono::duration<double>(Clock::now() - begin).count()};
}

}  // namespace

SpeakAnswer speak(const SpeakRequest& request) {
  const checkpoint::LoadedSave save = checkpoint::find_save(request.checkpoint);
  const speak::Voice voice(save);
  const torch::Tensor vector = vector_for(request, voice);
  text::FrontEnd front_end(text::text_settings_of(voice.config()));
  const speak::Synthesiser synthesiser(voice.model(), front_end, voice.contract(), voice.symbols());
  const speak::SpeechSettings settings{
      .speed = request.speed,
      .seed = request.seed,
      .max_piece_characters = static_cast<std::size_t>(
          std::min(kMostPieceCharacters,
                   voice.config().data.max_text_length.value_or(kMostPieceCharacters))),
      .num_workers = request.num_threads};

  SpeakAnswer answer{.files = {},
                     .unspoken = {},
                     .save = save.folder.string(),
                     .speaker = speaker_of(request, voice)};
  for (const SpeakTask& task : request.tasks) {
    base::check_interrupt();
    const Clock::time_point begin = Clock::now();
    const speak::Speech speech = synthesiser.say(task.text, vector, settings);
    if (!speech.dropped.empty()) {
      base::say("{}: nothing speaks these: {}\n", place_of(task), fmt::join(speech.dropped, " "));
    }
    if (!speech.fault.empty()) {
      answer.unspoken.push_back({.line = task.line, .fault = speech.fault});
      continue;
    }
    answer.files.push_back(write_sound(task, speech, voice.contract().sample_rate, begin));
    if (request.on_file) request.on_file(answer.files.back());
  }
  return answer;
}

}  // namespace xtts::cli
