#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <span>

#include <ATen/Parallel.h>
#include <torch/types.h>

#include "audio/griffin_lim.h"
#include "audio/wav.h"
#include "base/error.h"
#include "base/random.h"
#include "checkpoint/save_store.h"
#include "cli/bench_speak.h"
#include "speak/synthesiser_torch.h"
#include "speak/trained_vocoder_torch.h"
#include "speak/vocoder_place.h"
#include "speak/voice_torch.h"
#include "text/front_end.h"

namespace xtts::cli {
namespace {

using BenchClock = std::chrono::steady_clock;

constexpr double kFirstSoundSeconds = 0.2;
constexpr int kStreams = 5;

double seconds_since(BenchClock::time_point begin) {
  return std::chrono::duration<double>(BenchClock::now() - begin).count();
}

// A voice and all that one call of it needs. Every call has a front end of its own, which has not
// heard the text before.
class BenchedVoice {
 public:
  explicit BenchedVoice(const BenchSpeakArgs& args)
      : text_(args.text), voice_(checkpoint::find_save(args.checkpoint)) {
    std::filesystem::path run = args.vocoder;
    if (args.vocoder.empty()) {
      run = speak::vocoder_of_run(args.checkpoint).value_or(speak::kGriffinLim);
    }
    if (run != speak::kGriffinLim) {
      vocoder_ = std::make_unique<const speak::TrainedVocoder>(checkpoint::find_save(run));
    }
    settings_.max_piece_characters = speak::piece_characters(voice_.config().data.max_text_length);
  }

  bool has_vocoder() const { return vocoder_ != nullptr; }

  // Seconds of sound.
  double speak(bool with_vocoder) const {
    text::FrontEnd front_end(text_settings());
    const speak::Speech speech =
        synthesiser(front_end, with_vocoder).say(text_, vector(), settings_);
    require_usage(speech.fault.empty(), "--text: {}", speech.fault);
    audio::wav_bytes(speech.samples, voice_.contract().sample_rate);
    return static_cast<double>(speech.samples.size()) / voice_.contract().sample_rate;
  }

  // Seconds until so much of it could be heard.
  double first_sound_s() const {
    const BenchClock::time_point begin = BenchClock::now();
    double found_s = std::numeric_limits<double>::infinity();
    double heard_s = 0.0;
    text::FrontEnd front_end(text_settings());
    synthesiser(front_end, /*with_vocoder=*/true)
        .say_in_parts(text_, vector(), settings_, [&](std::span<const float> part) {
          heard_s += static_cast<double>(part.size()) / voice_.contract().sample_rate;
          if (heard_s >= kFirstSoundSeconds) found_s = std::min(found_s, seconds_since(begin));
        });
    return found_s;
  }

  std::vector<std::int64_t> ids() const {
    text::FrontEnd front_end(text_settings());
    return front_end.run(text_).ids;
  }

  audio::Mel mel_of(const std::vector<std::int64_t>& ids) const {
    text::FrontEnd front_end(text_settings());
    return synthesiser(front_end, /*with_vocoder=*/false).mel_of(ids, vector(), settings_);
  }

  void sound_of(const audio::Mel& mel) const {
    if (vocoder_) {
      vocoder_->sound_of(mel);
    } else {
      audio::griffin_lim(mel, voice_.contract(), audio::kGriffinLimIterations, settings_.seed);
    }
  }

  double seconds_of(const audio::Mel& mel) const {
    return static_cast<double>((mel.num_frames - 1) * voice_.contract().hop_length) /
           voice_.contract().sample_rate;
  }

 private:
  text::TextSettings text_settings() const {
    text::TextSettings settings = text::text_settings_of(voice_.config());
    settings.refuse_foreign = false;
    return settings;
  }

  torch::Tensor vector() const { return voice_.first_speaker_vector(); }

  speak::Synthesiser synthesiser(text::FrontEnd& front_end, bool with_vocoder) const {
    return {voice_.model(),
            front_end,
            voice_.contract(),
            voice_.symbols(),
            with_vocoder ? vocoder_.get() : nullptr};
  }

  std::string text_;
  speak::Voice voice_;
  std::unique_ptr<const speak::TrainedVocoder> vocoder_;
  speak::SpeechSettings settings_;
};

}  // namespace

std::vector<BenchResult> bench_speak(const BenchSpeakArgs& args) {
  at::set_num_threads(args.threads);
  const BenchClock::time_point begin = BenchClock::now();
  const BenchedVoice voice(args);
  const double load_s = seconds_since(begin);

  const double sound_s = voice.speak(/*with_vocoder=*/false);
  const std::vector<std::int64_t> ids = voice.ids();
  const audio::Mel mel = voice.mel_of(ids);
  std::vector<std::function<void()>> works = {[&] { voice.speak(/*with_vocoder=*/false); },
                                              [&] { voice.ids(); },
                                              [&] { voice.mel_of(ids); },
                                              [&] { voice.sound_of(mel); }};
  if (voice.has_vocoder()) works.emplace_back([&] { voice.speak(/*with_vocoder=*/true); });
  const std::vector<double> runs_s = fastest_runs_s(works);
  double first_s = voice.first_sound_s();
  for (int i = 0; i < kStreams; ++i)
    first_s = std::min(first_s, voice.first_sound_s());

  std::vector<BenchResult> results = {
      {"speak_griffin_lim", sound_s / runs_s[0], "x real time"},
      {"speak_text", 1e3 * runs_s[1], "ms"},
      {"speak_mel", voice.seconds_of(mel) / runs_s[2], "x real time"},
      {"speak_sound", voice.seconds_of(mel) / runs_s[3], "x real time"},
      {"speak_first_sound", 1e3 * first_s, "ms"},
      {"speak_load", load_s, "s"},
      {"speak_seconds", sound_s, "s of sound"}};
  if (voice.has_vocoder()) {
    results.insert(results.begin(), {"speak_vocoder", sound_s / runs_s[4], "x real time"});
  }
  return results;
}

}  // namespace xtts::cli
