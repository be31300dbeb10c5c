#include "corpus/measure.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "audio/decode.h"
#include "audio/mel_contract.h"
#include "audio/prepare.h"
#include "base/files.h"
#include "base/parallel.h"
#include "corpus/reasons.h"
#include "text/front_end.h"

namespace xtts::corpus {
namespace {

// 30 s of eight channels at 192 kHz in 32 bits, with room to spare.
constexpr std::size_t kMaxAudioBytes = std::size_t{256} << 20;

// Texts are encoded and recordings decoded in turns of this many utterances, so that progress is
// seen from the start and memory does not grow with the corpus.
constexpr std::size_t kUtterancesPerTurn = 256;

// What measuring needs to know, worked out once.
struct Rules {
  audio::MelContract contract;
  double min_seconds = 0.0;
  double max_seconds = 0.0;
};

Rules rules_of(const config::Config& config) {
  Rules rules{.contract = audio::mel_contract_of(config),
              .min_seconds = config.data.min_audio_length,
              .max_seconds = config.data.max_audio_length};
  audio::validate(rules.contract);
  // Gains do not change the number of frames, and measuring loudness costs more than trimming.
  rules.contract.normalize_audio = false;
  rules.contract.enable_loudness_normalization = false;
  return rules;
}

std::string_view reason_of(audio::AudioFault fault) {
  return fault == audio::AudioFault::kNotFinite ? "nan_samples" : audio::name_of(fault);
}

std::string_view reason_of(base::FileFault fault, const std::filesystem::path& path) {
  std::error_code ignored;
  const bool fifo =
      fault == base::FileFault::kNotRegular &&
      std::filesystem::status(path, ignored).type() == std::filesystem::file_type::fifo;
  return fifo ? "fifo" : base::name_of(fault);
}

// The longest run of 10 ms windows that are `top_db` or more below the loudest one.
double longest_silence(const audio::Sound& sound, double top_db) {
  const auto window = static_cast<std::size_t>(std::max(1, sound.sample_rate / 100));
  std::vector<double> powers;
  for (std::size_t begin = 0; begin < sound.samples.size(); begin += window) {
    const std::size_t size = std::min(window, sound.samples.size() - begin);
    double sum = 0.0;
    for (const float sample : std::span(sound.samples).subspan(begin, size))
      sum += double{sample} * sample;
    powers.push_back(sum / static_cast<double>(size));
  }
  if (powers.empty()) return 0.0;
  const double threshold = *std::ranges::max_element(powers) * std::pow(10.0, -top_db / 10.0);
  std::size_t run = 0;
  std::size_t longest = 0;
  for (const double power : powers) {
    run = power <= threshold ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return static_cast<double>(longest * window) / sound.sample_rate;
}

void measure_sound(const audio::Sound& sound, const Rules& rules, Measured& measured) {
  constexpr float kFullScale = 0.999F;
  std::size_t num_clipped = 0;
  float peak = 0.0F;
  for (const float sample : sound.samples) {
    peak = std::max(peak, std::abs(sample));
    if (std::abs(sample) >= kFullScale) ++num_clipped;
  }
  measured.seconds = sound.seconds();
  measured.peak = peak;
  measured.clipped_share =
      static_cast<double>(num_clipped) / static_cast<double>(sound.samples.size());
  measured.longest_silence_s = longest_silence(sound, rules.contract.trim_top_db);

  const std::size_t num_samples = audio::prepare(sound, rules.contract).size();
  measured.mel_length = audio::num_frames(rules.contract, num_samples);
  measured.speech_s = static_cast<double>(num_samples) / rules.contract.sample_rate;
}

// Reads and decodes the recording; the reason and the detail if that fails.
std::optional<std::pair<std::string_view, std::string>> measure_audio(
    const std::filesystem::path& path, const Rules& rules, Measured& measured) {
  const base::ReadResult file = base::read_regular_file(path, kMaxAudioBytes);
  if (file.fault != base::FileFault::kNone) {
    return std::pair{reason_of(file.fault, path), file.detail};
  }
  const audio::DecodeResult decoded = audio::decode(file.bytes, rules.max_seconds);
  if (!decoded.ok()) return std::pair{reason_of(decoded.fault), decoded.detail};
  const audio::Sound& sound = decoded.sound;
  if (sound.seconds() < rules.min_seconds) {
    return std::pair{std::string_view("too_short"),
                     fmt::format("{:.3f} s, at least {} s", sound.seconds(), rules.min_seconds)};
  }
  if (sound.seconds() > rules.max_seconds) {
    return std::pair{std::string_view("too_long"),
                     fmt::format("{:.1f} s, at most {} s", sound.seconds(), rules.max_seconds)};
  }
  measure_sound(sound, rules, measured);
  return std::nullopt;
}

Measured measure(const Utterance& utterance,
                 const text::TextStages& stages,
                 const std::filesystem::path& root,
                 const Rules& rules) {
  Measured measured;
  const auto refuse = [&](std::string_view reason, std::string detail) {
    measured.problem =
        make_problem(printable(utterance.id, 400), reason, std::move(detail), utterance.line);
    return measured;
  };
  const auto fault = measure_audio(root / utterance.audio, rules, measured);
  if (fault) {
    return refuse(fault->first,
                  fmt::format("{}: {}", printable(utterance.audio.string(), 400), fault->second));
  }
  if (!stages.fault.empty()) return refuse("unspeakable_text", stages.fault);
  measured.text_length = static_cast<std::int64_t>(stages.ids.size());
  measured.dropped = stages.dropped;
  if (measured.text_length > measured.mel_length) {
    return refuse("more_symbols_than_frames",
                  fmt::format("{} symbols in {} frames ({:.2f} s after trimming)",
                              measured.text_length,
                              measured.mel_length,
                              measured.speech_s));
  }
  return measured;
}

}  // namespace

std::vector<Measured> measure_corpus(const Corpus& corpus,
                                     const config::Config& config,
                                     int num_workers,
                                     const std::function<void(std::size_t)>& on_done) {
  const Rules rules = rules_of(config);
  text::FrontEnd front_end(text::text_settings_of(config));
  std::vector<Measured> measured(corpus.utterances.size());
  std::mutex done_mutex;
  for (std::size_t begin = 0; begin < measured.size(); begin += kUtterancesPerTurn) {
    const auto turn = std::span(corpus.utterances)
                          .subspan(begin, std::min(kUtterancesPerTurn, measured.size() - begin));
    std::vector<std::string> texts;
    for (const Utterance& utterance : turn)
      texts.push_back(utterance.text);
    const std::vector<text::TextStages> stages = front_end.run_all(texts, num_workers);

    base::parallel_for(turn.size(), num_workers, [&](std::size_t i) {
      measured[begin + i] = measure(turn[i], stages[i], corpus.root, rules);
      const std::scoped_lock lock(done_mutex);
      if (on_done) on_done(1);
    });
  }
  return measured;
}

}  // namespace xtts::corpus
