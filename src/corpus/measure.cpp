#include "corpus/measure.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "audio/decode.h"
#include "audio/mel_spec.h"
#include "audio/prepare.h"
#include "audio/silences.h"
#include "corpus/each_utterance.h"
#include "corpus/load_recording.h"
#include "text/front_end.h"

namespace xtts::corpus {
namespace {

// What measuring needs to know, worked out once.
struct Rules {
  audio::MelSpec contract;
  RecordingLimits limits;
};

Rules rules_of(const config::Config& config) {
  Rules rules{.contract = audio::mel_spec_of(config), .limits = recording_limits_of(config.data)};
  audio::validate(rules.contract);
  // Gains do not change the number of frames, and measuring loudness costs more than trimming.
  rules.contract.normalize_audio = false;
  rules.contract.enable_loudness_normalization = false;
  return rules;
}

void measure_sound(const audio::AudioClip& sound, const Rules& rules, Measured& measured) {
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
  measured.longest_silence_s =
      audio::silences_in(sound.samples, sound.sample_rate, rules.contract.trim_top_db).longest_s;

  const std::size_t num_samples = audio::prepare(sound, rules.contract).size();
  measured.mel_length = audio::num_frames(rules.contract, num_samples);
  measured.speech_s = static_cast<double>(num_samples) / rules.contract.sample_rate;
}

Measured measure(const Utterance& utterance,
                 const text::TextStages& stages,
                 const std::filesystem::path& root,
                 const Rules& rules) {
  Measured measured;
  Recording recording = load_recording(utterance, root, rules.limits);
  if (recording.problem) {
    measured.problem = std::move(recording.problem);
    return measured;
  }
  measure_sound(recording.sound, rules, measured);
  measured.text_length = std::ssize(stages.ids);
  measured.dropped = stages.dropped;
  measured.problem = text_problem(utterance, stages, measured.mel_length, measured.speech_s);
  return measured;
}

}  // namespace

std::vector<Measured> measure_corpus(const Corpus& corpus,
                                     const config::Config& config,
                                     int num_workers,
                                     const std::function<void(std::size_t)>& on_done) {
  text::FrontEnd front_end(text::text_settings_of(config));
  std::vector<Measured> all(corpus.utterances.size());
  const auto measure_one = [rules = rules_of(config), root = corpus.root, &all](
                               std::size_t i,
                               const Utterance& utterance,
                               const text::TextStages& stages) -> base::Delivery {
    Measured one = measure(utterance, stages, root, rules);
    return [one = std::move(one), i, &all]() mutable { all[i] = std::move(one); };
  };
  const auto on_stuck = [&all](std::size_t i, Problem problem) {
    all[i].problem = std::move(problem);
  };
  for_each_utterance(corpus,
                     front_end,
                     num_workers,
                     {.work = measure_one, .on_stuck = on_stuck, .on_done = on_done});
  return all;
}

}  // namespace xtts::corpus
