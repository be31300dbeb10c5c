#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include <ATen/Parallel.h>
#include <torch/types.h>

#include "audio/griffin_lim.h"
#include "audio/wav.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "bench/bench_speak.h"
#include "checkpoint/checkpoint_store.h"
#include "synthesis/find_vocoder.h"
#include "synthesis/speak_request.h"
#include "synthesis/synthesiser_torch.h"
#include "synthesis/trained_vocoder_torch.h"
#include "synthesis/voice_torch.h"
#include "text/front_end.h"

namespace myxtts::bench {
namespace {

using BenchClock = std::chrono::steady_clock;

constexpr double kFirstAudioSeconds = 0.2;
constexpr int kRounds = 7;
constexpr const char* kWarmUpText = "Ready?";

double seconds_since(BenchClock::time_point begin) {
  return std::chrono::duration<double>(BenchClock::now() - begin).count();
}

// A loaded voice, its vocoder and the synthesis settings.
class BenchedVoice {
 public:
  explicit BenchedVoice(const BenchSpeakArgs& args)
      : text_(args.text), voice_(checkpoint::find_checkpoint(args.checkpoint)) {
    if (const auto checkpoint = synthesis::find_vocoder(args.vocoder, args.checkpoint))
      vocoder_ = std::make_unique<synthesis::TrainedVocoder>(*checkpoint);
    settings_.in_bf16 = synthesis::is_bf16(args.precision);
    if (settings_.in_bf16) {
      voice_.cache_bf16_weights();
      if (vocoder_) vocoder_->cache_bf16_weights();
    }
    settings_.max_piece_characters =
        synthesis::max_characters_per_piece(voice_.config().data.max_text_length);
  }

  bool has_vocoder() const { return vocoder_ != nullptr; }

  // Returns a warmed-up front end with an empty phoneme cache. A program creates one front end,
  // which starts espeak-ng and lists its voices.
  std::unique_ptr<text::FrontEnd> front_end() const {
    text::TextSettings settings = text::text_settings_of(voice_.config());
    settings.refuse_foreign = false;
    auto front_end = std::make_unique<text::FrontEnd>(std::move(settings));
    front_end->warm_up();
    front_end->run(kWarmUpText);  // the child process is ready after its first answer
    return front_end;
  }

  // Synthesises the text and returns the seconds of audio.
  double speak(text::FrontEnd& front_end, bool with_vocoder) const {
    const synthesis::Speech speech =
        synthesiser(front_end, with_vocoder).synthesise(text_, embedding(), settings_);
    require_usage(speech.fault.empty(), "--text: {}", speech.fault);
    audio::wav_bytes(speech.samples, voice_.mel_spec().sample_rate);
    return static_cast<double>(speech.samples.size()) / voice_.mel_spec().sample_rate;
  }

  // Returns the wall seconds until kFirstAudioSeconds of the stream are available.
  double first_audio_s(text::FrontEnd& front_end) const {
    const BenchClock::time_point begin = BenchClock::now();
    double found_s = std::numeric_limits<double>::infinity();
    double available_s = 0.0;
    synthesiser(front_end, /*with_vocoder=*/true)
        .stream(text_, embedding(), settings_, [&](std::span<const float> part) {
          available_s += static_cast<double>(part.size()) / voice_.mel_spec().sample_rate;
          if (available_s >= kFirstAudioSeconds) found_s = std::min(found_s, seconds_since(begin));
        });
    return found_s;
  }

  std::vector<std::int64_t> ids(text::FrontEnd& front_end) const {
    return front_end.run(text_).ids;
  }

  audio::Mel mel_of(text::FrontEnd& front_end, const std::vector<std::int64_t>& ids) const {
    return synthesiser(front_end, /*with_vocoder=*/false).mel_of(ids, embedding(), settings_).mel;
  }

  void waveform_of(const audio::Mel& mel) const {
    if (vocoder_) {
      vocoder_->waveform_of(mel, settings_.in_bf16 ? torch::kBFloat16 : torch::kFloat32);
    } else {
      audio::griffin_lim(mel, voice_.mel_spec(), audio::kGriffinLimIterations, settings_.seed);
    }
  }

  double seconds_of(const audio::Mel& mel) const {
    return static_cast<double>((mel.num_frames - 1) * voice_.mel_spec().hop_length) /
           voice_.mel_spec().sample_rate;
  }

 private:
  torch::Tensor embedding() const { return voice_.first_speaker_embedding(); }

  synthesis::Synthesiser synthesiser(text::FrontEnd& front_end, bool with_vocoder) const {
    return {voice_.model(),
            front_end,
            voice_.mel_spec(),
            voice_.symbols(),
            with_vocoder ? vocoder_.get() : nullptr};
  }

  std::string text_;
  synthesis::Voice voice_;
  std::unique_ptr<synthesis::TrainedVocoder> vocoder_;
  synthesis::SynthesisSettings settings_;
};

// Wall seconds of the fastest run of each stage, and of the slowest first audio.
struct FastestRuns {
  double vocoder_s = std::numeric_limits<double>::infinity();
  double griffin_lim_s = vocoder_s;
  double text_s = vocoder_s;
  double mel_s = vocoder_s;
  double waveform_s = vocoder_s;
  double first_audio_s = vocoder_s;
  double slowest_first_audio_s = 0.0;
};

void keep_fastest(double& fastest_s, const std::function<void()>& work) {
  const BenchClock::time_point begin = BenchClock::now();
  work();
  fastest_s = std::min(fastest_s, seconds_since(begin));
}

// Runs each stage once. Rounds alternate the stages, so that other load affects all of them.
void run_round(const BenchedVoice& voice, FastestRuns& fastest) {
  base::check_interrupt();
  const auto first = voice.front_end();
  std::vector<std::int64_t> ids;
  keep_fastest(fastest.text_s, [&] { ids = voice.ids(*first); });
  audio::Mel mel;
  keep_fastest(fastest.mel_s, [&] { mel = voice.mel_of(*first, ids); });
  keep_fastest(fastest.waveform_s, [&] { voice.waveform_of(mel); });
  const auto second = voice.front_end();
  keep_fastest(fastest.griffin_lim_s, [&] { voice.speak(*second, /*with_vocoder=*/false); });
  const auto third = voice.front_end();
  const double first_audio_s = voice.first_audio_s(*third);
  fastest.first_audio_s = std::min(fastest.first_audio_s, first_audio_s);
  fastest.slowest_first_audio_s = std::max(fastest.slowest_first_audio_s, first_audio_s);
  if (!voice.has_vocoder()) return;
  const auto fourth = voice.front_end();
  keep_fastest(fastest.vocoder_s, [&] { voice.speak(*fourth, /*with_vocoder=*/true); });
}

}  // namespace

std::vector<BenchResult> bench_speak(const BenchSpeakArgs& args) {
  at::set_num_threads(args.threads);
  const BenchClock::time_point begin = BenchClock::now();
  const BenchedVoice voice(args);
  const double load_s = seconds_since(begin);
  const auto front_end = voice.front_end();
  const double cold_s = voice.first_audio_s(*front_end);
  const double audio_s = voice.speak(*front_end, /*with_vocoder=*/false);
  const double mel_s = voice.seconds_of(voice.mel_of(*front_end, voice.ids(*front_end)));

  FastestRuns fastest;
  FastestRuns warm_up;
  run_round(voice, warm_up);
  for (int i = 0; i < kRounds; ++i)
    run_round(voice, fastest);

  std::vector<BenchResult> results = {
      {"speak_griffin_lim", audio_s / fastest.griffin_lim_s, "x real time"},
      {"speak_text", 1e3 * fastest.text_s, "ms"},
      {"speak_mel", mel_s / fastest.mel_s, "x real time"},
      {"speak_vocoder_only", mel_s / fastest.waveform_s, "x real time"},
      {"speak_first_audio", 1e3 * fastest.first_audio_s, "ms"},
      {"speak_first_audio_slowest", 1e3 * fastest.slowest_first_audio_s, "ms"},
      {"speak_first_audio_cold", 1e3 * cold_s, "ms"},
      {"speak_load", load_s, "s"},
      {"speak_seconds", audio_s, "s of audio"}};
  if (voice.has_vocoder()) {
    results.insert(results.begin(), {"speak_vocoder", audio_s / fastest.vocoder_s, "x real time"});
  }
  return results;
}

}  // namespace myxtts::bench
