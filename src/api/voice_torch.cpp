#include "synthesis/voice_torch.h"

#include <cmath>
#include <optional>
#include <utility>

#include <ATen/Parallel.h>
#include <fmt/ranges.h>
// Implements include/myxtts/voice.h.
#include <myxtts/voice.h>

#include "audio/decode.h"
#include "audio/read_recording.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/terminal.h"
#include "checkpoint/checkpoint_store.h"
#include "synthesis/find_vocoder.h"
#include "synthesis/synthesiser_torch.h"
#include "synthesis/trained_vocoder_torch.h"
#include "text/front_end.h"

namespace myxtts {
namespace {

constexpr double kMaxReferenceSeconds = 300.0;

// Thrown through the synthesiser when a stream's callback returns false.
struct StreamStopped {};

text::TextSettings text_settings_of(const config::Config& config) {
  text::TextSettings settings = text::text_settings_of(config);
  settings.refuse_foreign = false;
  return settings;
}

synthesis::SynthesisSettings settings_of(const SpeakOptions& options,
                                         const synthesis::Voice& voice,
                                         bool in_bf16) {
  using namespace synthesis;
  require_usage(options.speed >= kMinSpeed && options.speed <= kMaxSpeed,
                "speed {}: expected {} to {}",
                options.speed,
                kMinSpeed,
                kMaxSpeed);
  const double lufs = options.loudness_lufs.value_or(kMinLoudnessLufs);
  require_usage(lufs >= kMinLoudnessLufs && lufs <= kMaxLoudnessLufs,
                "loudness_lufs {}: expected {} to {}",
                lufs,
                kMinLoudnessLufs,
                kMaxLoudnessLufs);
  return {.speed = options.speed,
          .seed = options.seed,
          .loudness_lufs = options.loudness_lufs,
          .max_piece_characters = max_characters_per_piece(voice.config().data.max_text_length),
          .num_workers = at::get_num_threads(),
          .in_bf16 = in_bf16};
}

Speech public_speech(synthesis::Speech speech) {
  require_usage(speech.fault.empty(), "the text cannot be spoken: {}", speech.fault);
  Speech result{.samples = std::move(speech.samples), .words = {}, .warnings = {}};
  for (synthesis::WordTiming& word : speech.words)
    result.words.push_back({std::move(word.text), word.start_s, word.end_s});
  if (!speech.dropped.empty())
    result.warnings.push_back(fmt::format("no symbol for: {}", fmt::join(speech.dropped, " ")));
  for (const synthesis::SkippedText& piece : speech.skipped) {
    result.warnings.push_back(
        fmt::format("skipped '{}': {}", base::printable(piece.text), piece.fault));
  }
  return result;
}

}  // namespace

struct Voice::Impl {
  Impl(const std::string& folder, const VoiceOptions& options)
      : voice(checkpoint::find_checkpoint(folder)),
        in_bf16(options.bf16),
        embedding(voice.first_speaker_embedding()),
        front_end(text_settings_of(voice.config())) {
    const auto found = synthesis::find_vocoder(options.vocoder, folder);
    if (found) vocoder.emplace(*found);
    if (in_bf16) voice.cache_bf16_weights();
    if (in_bf16 && vocoder) vocoder->cache_bf16_weights();
    synthesiser.emplace(
        voice.model(), front_end, voice.mel_spec(), voice.symbols(), vocoder ? &*vocoder : nullptr);
    front_end.warm_up();
  }

  synthesis::Voice voice;
  bool in_bf16;
  torch::Tensor embedding;  // of the selected speaker or reference
  text::FrontEnd front_end;
  std::optional<synthesis::TrainedVocoder> vocoder;   // absent: Griffin-Lim
  std::optional<synthesis::Synthesiser> synthesiser;  // refers to the members above
};

Voice Voice::open(const std::string& folder, const VoiceOptions& options) {
  const base::QuietTerminal quiet;
  if (options.num_threads > 0) at::set_num_threads(options.num_threads);
  return Voice(std::make_unique<Impl>(folder, options));
}

Voice::Voice(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Voice::Voice(Voice&& other) noexcept = default;
Voice& Voice::operator=(Voice&& other) noexcept = default;
Voice::~Voice() = default;

int Voice::sample_rate() const {
  return impl_->voice.mel_spec().sample_rate;
}

const std::vector<std::string>& Voice::speakers() const {
  return impl_->voice.speakers();
}

void Voice::set_speaker(const std::string& name) {
  impl_->embedding = impl_->voice.speaker_embedding(name);
}

void Voice::set_reference(const std::string& audio_file) {
  const base::QuietTerminal quiet;
  impl_->embedding =
      impl_->voice.embed_recording(audio::read_recording(audio_file, kMaxReferenceSeconds));
}

void Voice::set_reference(std::span<const float> samples, int sample_rate) {
  const base::QuietTerminal quiet;
  require_usage(sample_rate > 0, "sample_rate {}: expected more than 0", sample_rate);
  const double seconds = static_cast<double>(samples.size()) / sample_rate;
  require_usage(seconds <= kMaxReferenceSeconds,
                "the reference has {:.0f} s, at most {:.0f} s are allowed",
                seconds,
                kMaxReferenceSeconds);
  for (const float sample : samples)
    require_usage(std::isfinite(sample), "the reference has samples that are not finite");
  impl_->embedding = impl_->voice.embed_recording({.sample_rate = sample_rate,
                                                   .num_channels = 1,
                                                   .format = "samples",
                                                   .samples = {samples.begin(), samples.end()}});
}

Speech Voice::speak(const std::string& text, const SpeakOptions& options) {
  const base::QuietTerminal quiet;
  return public_speech(impl_->synthesiser->synthesise(
      text, impl_->embedding, settings_of(options, impl_->voice, impl_->in_bf16)));
}

Speech Voice::stream(const std::string& text,
                     const SpeakOptions& options,
                     const std::function<bool(std::span<const float> samples)>& on_samples) {
  const base::QuietTerminal quiet;
  const auto pass_on = [&](std::span<const float> samples) {
    if (!on_samples(samples)) throw StreamStopped();
  };
  try {
    return public_speech(impl_->synthesiser->stream(
        text, impl_->embedding, settings_of(options, impl_->voice, impl_->in_bf16), pass_on));
  } catch (const StreamStopped&) {
    return {};
  }
}

}  // namespace myxtts
